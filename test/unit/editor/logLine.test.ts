import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { flatClient } from '../../support/builders/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { ApiError } from '../../../src/api/http/errors';
import type { RequestEvent } from '../../../src/api/http/transport';
import { errorLines, logLine, logRequest } from '../../../src/editor/logLine';
import { startService } from '../../service/service';
import { profiles } from '../../support/profiles';

const event: RequestEvent = {
  method: 'POST',
  route: '/api/v1/sandboxes/{id}/pause',
  attempt: 1,
  status: 200,
  ms: 12.4,
  bytes: 17,
  reason: undefined,
  serverText: undefined,
  skipped: 0,
  expected: false,
};

/** Log output by level. */
function logging() {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => lines.push(`${level}: ${line}`);
  return { lines, log: { trace: at('trace'), warn: at('warn') } as unknown as vscode.LogOutputChannel };
}

describe('request log', () => {
  it('contains method, route, status, time, and size of each try', () => {
    assert.equal(logLine(event), 'POST /api/v1/sandboxes/{id}/pause, 200, 12 ms, 17 B');
  });

  it('contains the number of a later try, its reason, and the service’s message', () => {
    const failed = { ...event, attempt: 2, status: 503, reason: 'serverError' as const, serverText: 'down' };
    assert.equal(
      logLine(failed),
      'POST /api/v1/sandboxes/{id}/pause, 503, 12 ms, 17 B, try 2, serverError, the service says “down”',
    );
    assert.match(logLine({ ...event, status: undefined, reason: 'dns' }), /, no answer, .*, dns$/);
    assert.match(logLine({ ...event, skipped: 3 }), /, 3 malformed elements left out$/);
  });

  it('logs failures at every level, and the rest only at Trace', () => {
    const { lines, log } = logging();
    logRequest(log, event, 'Team');
    logRequest(log, { ...event, reason: 'canceled' }, 'Team');
    logRequest(log, { ...event, reason: 'keyRevoked' }, 'Team');
    logRequest(log, { ...event, reason: 'timeout' }, 'Team');
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      ['trace', 'trace', 'trace', 'warn'],
    );
  });

  it('logs no warnings for a healthy service with missing features', async () => {
    for (const profile of profiles) {
      const service = await startService({ profile, seed: 'lifelike' });
      const { lines, log } = logging();
      const { url, sessionKey } = service;
      const client = flatClient({ baseUrl: url, sessionKey, log: (each) => logRequest(log, each, 'Team') });
      await checkConnection(client);
      await client.listConversations();
      await client.searchSandboxes();
      await client.listModels().catch(() => undefined);
      await client.listAgents().catch(() => undefined);
      await client.listSecurityAnalyzers().catch(() => undefined);
      await service.close();
      assert.deepEqual(
        lines.filter((line) => line.startsWith('warn')),
        [],
      );
      if (profile === 'observed') assert.match(lines.join('\n'), /422.*invalid, as expected/);
    }
  });

  it('contains the reason of a failed command and the calls before it, without secrets', () => {
    const refused = new ApiError('notFound', 'POST', '/api/v1/sandboxes/{id}/pause', {
      status: 404,
      serverText: 'No such sandbox',
    });
    const here = /^( {4}at .{1,300}\n)* {4}at .*logLine\.test\.ts:\d+:\d+\)?(\n {4}at .{1,300})*$/;
    for (const [error, words] of [
      [refused, 'POST /api/v1/sandboxes/{id}/pause 404 notFound, the service says “No such sandbox”'],
      [new TypeError('x is undefined'), 'TypeError: x is undefined'],
      [new Error('two\nlines'), 'Error: two lines'],
    ] as const) {
      const [first, ...calls] = errorLines(error).split('\n');
      assert.equal(first, words);
      assert.match(calls.join('\n'), here);
    }
    const secrets = 'api_key=canary https://a.example/?k=canary';
    const long = 'x'.repeat(30_000);
    const echoed = errorLines(new Error(`${secrets} ${long}\n    at ${secrets} ${long}`.repeat(50)));
    assert.ok(echoed.length <= 1_000 + 20 * 305 && !echoed.includes('canary'), echoed);
    assert.equal(errorLines('odd'), 'odd');
    const thrown = Object.assign(new Error('bare'), { stack: undefined });
    assert.equal(errorLines(thrown), 'Error: bare');
  });

  it('logs each try of a failing request without key or ID', async () => {
    const service = await startService({ profile: 'observed', seed: 'lifelike' });
    const { lines, log } = logging();
    try {
      const client = flatClient({
        baseUrl: service.url,
        sessionKey: service.sessionKey,
        log: (each) => logRequest(log, each, 'Team'),
      });
      const [id = ''] = service.state.sandboxes.keys();
      service.fail({
        path: '/api/settings',
        effect: {
          kind: 'answer',
          status: 503,
          text: `no ${service.sessionKey}`,
          headers: { 'retry-after': '0' },
        },
      });
      await client.getSettings();
      await client.pauseSandbox(id).catch(() => undefined);
      assert.match(lines[0] ?? '', /^warn: Team: GET \/api\/settings, 503, \d+ ms, \d+ B, serverError/);
      assert.match(lines[1] ?? '', /^trace: Team: GET \/api\/settings, 200, \d+ ms, \d+ B, try 2$/);
      assert.match(lines[2] ?? '', /: POST \/api\/v1\/sandboxes\/\{id\}\/pause, \d+, /);
      const whole = lines.join('\n');
      assert.ok(!whole.includes(service.sessionKey));
      assert.ok(!whole.includes(id));
    } finally {
      await service.close();
    }
  });
});
