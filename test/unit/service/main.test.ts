import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const entry = join(__dirname, '../../service/main.ts');
const run = (...args: string[]) => spawn(process.execPath, ['--import', 'tsx', entry, ...args]);

describe('reference service: command line', () => {
  // Starts two processes that compile TypeScript, which takes seconds on a busy machine.

  it('prints one line when ready, limits the rate, and ends cleanly on SIGTERM', async () => {
    const child = run('--key', 'k-1', '--seed', '--profile', 'observed');
    const errors = text(child.stderr);
    const lines: string[] = [];
    const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
    try {
      await Promise.race([once(reader, 'line'), once(reader, 'close')]);
      const { url, sessionKey } = JSON.parse(lines[0] ?? 'null') as { url: string; sessionKey: string };
      assert.equal(sessionKey, 'k-1');
      const settings = await fetch(`${url}/api/settings`, { headers: { 'X-Session-API-Key': 'k-1' } });
      assert.equal(settings.status, 200);
      const state = (await (await fetch(`${url}/__control/state`)).json()) as {
        behaviour: { rateLimit: boolean };
      };
      assert.equal(state.behaviour.rateLimit, true);
    } finally {
      child.kill('SIGTERM');
    }
    await once(child, 'close');
    assert.equal(child.exitCode, 0, await errors);
    assert.equal(lines.length, 1);
  });

  it('runs a standalone agent server', async () => {
    const child = run('--key', 'k-2', '--seed', '--profile', 'agentServer');
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { url } = JSON.parse(line) as { url: string };
      const answer = await fetch(`${url}/api/conversations/search`, {
        headers: { 'X-Session-API-Key': 'k-2' },
      });
      assert.ok(((await answer.json()) as { items: unknown[] }).items.length > 3);
    } finally {
      child.kill('SIGTERM');
    }
    await once(child, 'close');
    assert.equal(child.exitCode, 0);
  });

  it('reports invalid arguments', async () => {
    const child = run('--profile', 'imagined');
    const [errors, output] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'close'),
    ]);
    assert.equal(child.exitCode, 2);
    assert.equal(output, '');
    assert.match(
      errors,
      /--profile must be documented or observed or current or hosted or agentServer, not 'imagined'/,
    );
  });
});
