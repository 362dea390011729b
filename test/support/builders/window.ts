import type { Limiter } from '../../../src/api/http/limiter';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import { ServiceModel } from '../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../src/core/session/session';
import { quiet } from './quiet';

/** Requests aren’t spaced out: that is tested elsewhere. */
const limiter: Limiter = { enter: () => Promise.resolve(() => undefined) };

/** What commands work with in a window that is connected to `service`: real requests, and no others than asked for. */
export async function windowOn({ url, sessionKey }: { url: string; sessionKey: string }) {
  const client = createClient({ baseUrl: url, sessionKey, limiter });
  const window = await windowWith(client, url, sessionKey);
  await window.model.refresh('sandboxes', 'conversations');
  return window;
}

/** The same with a client of the test’s own, with which nothing is read yet. */
export async function windowWith(client: ApiClient, baseUrl = 'https://one.example.com', sessionKey = 'k1') {
  const connection = { name: 'Team', baseUrl, origin: baseUrl };
  const session = new SessionStore({
    readTarget: () => Promise.resolve({ connection, sessionKey }),
    createClient: () => client,
  });
  await session.reload();
  const model = new ServiceModel({ session, ...quiet });
  const dispose = () => {
    model.dispose();
    session.dispose();
  };
  return { session, model, dispose };
}
