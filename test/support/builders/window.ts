import type { Limiter } from '../../../src/api/http/limiter';
import { createClient } from '../../../src/api/service/client';
import { ServiceModel } from '../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../src/core/session/session';
import { quiet } from './quiet';

/** Requests aren’t spaced out: that is tested elsewhere. */
const limiter: Limiter = { enter: () => Promise.resolve(() => undefined) };

/** What commands work with in a window that is connected to `service`: real requests, and no others than asked for. */
export async function windowOn({ url, sessionKey }: { url: string; sessionKey: string }) {
  const connection = { name: 'Team', baseUrl: url, origin: url };
  const session = new SessionStore({
    readTarget: () => Promise.resolve({ connection, sessionKey }),
    createClient: ({ baseUrl }, key) => createClient({ baseUrl, sessionKey: key, limiter }),
  });
  await session.reload();
  const model = new ServiceModel({ session, ...quiet });
  await model.refresh('sandboxes', 'conversations');
  const dispose = () => {
    model.dispose();
    session.dispose();
  };
  return { session, model, dispose };
}
