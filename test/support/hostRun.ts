import type { ProfileName } from '../service/profiles/profile';

/** The environment variable that names the file with the `HostRun` of an extension host. */
export const hostRunVariable = 'AGENT_WORKSPACE_HOST_RUN';

/** What the host tests know about the service that was started for them. */
export interface HostRun {
  profile: ProfileName;
  url: string;
  sessionKey: string;
  /** The file to write the totals to. */
  totalsFile: string;
  /** Whether the output goes to a terminal. */
  color: boolean;
  /** Only tests whose full title matches. */
  grep?: string;
  /** The folder of orders, if the tests run as ordered (`mutation/orders.ts`). */
  orders?: string;
}

const slot = Symbol.for('agent-workspace.host-run');
const holder = globalThis as { [slot]?: HostRun };

/** Called by the test module's entry. Each test file is its own bundle, so it gets the run through `hostRun`. */
export function setHostRun(run: HostRun): void {
  holder[slot] = run;
}

/** The run that this test is part of. Throws outside a host test. */
export function hostRun(): HostRun {
  const run = holder[slot];
  if (!run) throw new Error('hostRun() works only inside a host test, started by "npm run test:host".');
  return run;
}

/**
 * Calls the service's control interface: `POST <url>/__control/<action>`, or GET without a body. Returns the parsed
 * answer, or undefined if it's empty.
 */
export async function control(action: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${hostRun().url}/__control/${action}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The service refused ${action}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
