import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { createClient } from '../../../src/api/client';
import type { RequestEvent } from '../../../src/api/transport';
import { logRequest } from '../../../src/platform/log';
import { logLine } from '../../../src/platform/logLine';
import { startService } from '../../service/service';

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
};

/** What a log of the editor would be told, by level. */
function logging() {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => lines.push(`${level}: ${line}`);
  return { lines, log: { trace: at('trace'), warn: at('warn') } as unknown as vscode.LogOutputChannel };
}

describe('the log of requests', () => {
  it('has method, route, status, time and size of each try', () => {
    assert.equal(logLine(event), 'POST /api/v1/sandboxes/{id}/pause, 200, 12 ms, 17 B');
  });

  it('has the number of a later try, why it failed, and the service’s words', () => {
    const failed = { ...event, attempt: 2, status: 503, reason: 'serverError' as const, serverText: 'down' };
    assert.equal(
      logLine(failed),
      'POST /api/v1/sandboxes/{id}/pause, 503, 12 ms, 17 B, try 2, serverError, the service says “down”',
    );
    assert.match(logLine({ ...event, status: undefined, reason: 'dns' }), /, no answer, .*, dns$/);
    assert.match(logLine({ ...event, skipped: 3 }), /, 3 malformed elements left out$/);
  });

  it('tells failures at every level, and the rest at the level Trace alone', () => {
    const { lines, log } = logging();
    logRequest(log, event);
    logRequest(log, { ...event, reason: 'cancelled' });
    logRequest(log, { ...event, reason: 'timeout' });
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      ['trace', 'trace', 'warn'],
    );
  });

  it('tells each try of a request to a service that fails at first, and neither key nor id', async () => {
    const service = await startService({ profile: 'observed', seed: 'lifelike' });
    const { lines, log } = logging();
    try {
      const client = createClient({
        baseUrl: service.url,
        sessionKey: service.sessionKey,
        log: (each) => logRequest(log, each),
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
      assert.match(lines[0] ?? '', /^warn: GET \/api\/settings, 503, \d+ ms, \d+ B, serverError/);
      assert.match(lines[1] ?? '', /^trace: GET \/api\/settings, 200, \d+ ms, \d+ B, try 2$/);
      assert.match(lines[2] ?? '', /: POST \/api\/v1\/sandboxes\/\{id\}\/pause, \d+, /);
      const whole = lines.join('\n');
      assert.ok(!whole.includes(service.sessionKey));
      assert.ok(!whole.includes(id));
    } finally {
      await service.close();
    }
  });
});
