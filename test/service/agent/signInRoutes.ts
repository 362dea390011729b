import { randomUUID } from 'node:crypto';
import { isObject, ok, type Answer, type Call } from '../http';
import { isNew, type Release } from './release';
import { decrypted, encrypted } from './settingsRecord';

type Members = Record<string, unknown>;

/** A sign-in to an MCP server. */
interface SignIn {
  /** What to sign in to, secrets in clear. */
  server: Members;
  status: 'authorizing' | 'succeeded' | 'failed';
}

/** By the ids of their jobs. */
export type SignIns = Map<string, SignIn>;

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

/** Where the server waits for the browser. */
const callback = 'http://localhost:40123/callback';

/** Answers requests for signing in to MCP servers; undefined for other requests. */
export function signInAnswer(signIns: SignIns, release: Release, call: Call): Answer | undefined {
  const [, act, job = ''] = /^\/api\/mcp\/oauth\/(start|status|callback)(?:\/(\w+))?$/.exec(call.path) ?? [];
  if (act === undefined) return undefined;
  const body = 'value' in call.body && isObject(call.body.value) ? call.body.value : {};
  if (act === 'start') return started(signIns, release, body);
  const signIn = signIns.get(job);
  if (!signIn) return refused(404, 'MCP OAuth job not found');
  if (act === 'callback') {
    const address = String(body['callback_url']);
    if (!address.startsWith(`${callback}?`)) return refused(400, 'Unexpected OAuth callback URL');
    signIn.status = address.includes('code=') ? 'succeeded' : 'failed';
  }
  return ok(stateOf(job, signIn));
}

function started(signIns: SignIns, release: Release, { server }: Members): Answer {
  const known = JSON.parse(JSON.stringify(server, (_name, value: unknown) => decrypted(value))) as Members;
  const { auth, url } = known;
  if (!isObject(auth) || auth['strategy'] !== 'oauth2')
    return refused(400, "MCP OAuth start requires auth.strategy='oauth2'");
  const job = randomUUID().replaceAll('-', '');
  if (String(url).includes('missing')) {
    signIns.set(job, { server: known, status: 'failed' });
    return ok({ ok: false, job_id: job, error: 'All connection attempts failed', error_kind: 'connection' });
  }
  const holds = isObject(auth['state']);
  signIns.set(job, { server: known, status: holds ? 'succeeded' : 'authorizing' });
  // Up to 1.49, it waits for an address although none is needed.
  const timedOut = {
    ok: false,
    error: 'Timed out waiting for OAuth authorization URL',
    error_kind: 'timeout',
  };
  if (holds && !isNew(release)) return ok({ ...timedOut, job_id: job });
  const page = `https://login.example.com/authorize?redirect_uri=${encodeURIComponent(callback)}`;
  return ok({ ok: true, job_id: job, ...(!holds && { authorization_url: page }) });
}

function stateOf(job: string, { server, status }: SignIn): Members {
  const told = { ok: status !== 'failed', status, job_id: job, callback_ready: true };
  if (status === 'failed') return { ...told, error: 'access_denied', error_kind: 'connection' };
  if (status !== 'succeeded') return told;
  const tokens = { access_token: encrypted(`token-of-${String(server['url'])}`) };
  return { ...told, tools: ['search'], oauth_state: { tokens } };
}
