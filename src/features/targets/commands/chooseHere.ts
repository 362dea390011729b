import type { ApiClient } from '../../../api/service/client';
import { chooseAt, type Chosen } from '../../../core/session/chooseAt';
import type { SessionStore } from '../../../core/session/session';
import { tellSwitched } from './tellNone';

/** Lets the user choose. If the connection changes before they do, says so and returns undefined. */
export async function chooseHere<T>(
  session: SessionStore,
  choose: (client: ApiClient) => Promise<T | undefined>,
): Promise<Chosen<T> | undefined> {
  const answer = await chooseAt(session, choose);
  if (answer !== 'switched') return answer;
  tellSwitched();
  return undefined;
}
