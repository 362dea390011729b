import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { proxyFor } from '../../../../src/api/http/proxy';
import { diagnose } from '../../../../src/features/connection/commands/diagnosis/diagnose';
import { reportOf } from '../../../../src/features/connection/commands/diagnosis/report';
import type { Network } from '../../../../src/editor/network';
import { createFetch } from '../../../../src/editor/networkFetch';
import { parseBaseUrl } from '../../../../src/shared/baseUrl';
import type { Connection, NetworkOptions } from '../../../../src/shared/connection';
import { createLimiter } from '../../../../src/api/http/limiter';
import { hastyClock } from '../../api/support/client';
import { json } from '../../api/support/servers';

export const key = 'canary-session-key';

export function connectionTo(url: string, network?: NetworkOptions): Connection {
  const parsed = parseBaseUrl(url);
  assert.ok(parsed.ok);
  return { name: 'Team', baseUrl: parsed.baseUrl, origin: parsed.origin, ...(network && { network }) };
}

/** The editor’s network without the editor’s own settings. */
export function networkOf(options: NetworkOptions = {}): Network {
  const named = (target: URL) =>
    proxyFor(target, { connection: options, editor: { noProxy: [] }, environment: {} });
  return {
    proxyFor: named,
    fetch: async (input, init) => {
      if (Object.keys(options).length === 0) return fetch(input, init);
      const own = await createFetch(options, named(new URL(input as string)));
      return own(input, init);
    },
  };
}

/** Neither the limit of eight requests a second nor the time between two tries takes real time. */
export function quick() {
  const clock = hastyClock();
  return { clock, limiter: createLimiter(clock) };
}

export async function report(
  url: string,
  { network, sessionKey = key }: { network?: NetworkOptions; sessionKey?: string | undefined } = {},
  signal = new AbortController().signal,
): Promise<string> {
  const connection = connectionTo(url, network);
  const found = await diagnose(
    {
      connection,
      sessionKey: sessionKey === '' ? undefined : sessionKey,
      network: networkOf(network),
      timing: quick(),
    },
    'Agent Workspace 0, an editor',
    signal,
  );
  return reportOf(found);
}

/** The lines of a section of a report. */
export function section(text: string, title: string): string {
  const found = new RegExp(`^${title}[^\\n]*\\n((?:  [^\\n]*\\n)*)`, 'm').exec(text);
  assert.ok(found, `no section ${title} in\n${text}`);
  return found[1]!;
}

export const settings = (_request: IncomingMessage, response: ServerResponse) =>
  json(response, { llm_api_key_set: true });
