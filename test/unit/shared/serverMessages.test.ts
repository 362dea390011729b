import assert from 'node:assert/strict';
import { parseHostMessage, parseWebviewMessage } from '../../../src/shared/messages';
import type { ParkedServer } from '../../../src/shared/parked';
import { mostToolsShown, type ServerEvent, type ServerRequest } from '../../../src/shared/serverMessages';

const parked: ParkedServer = {
  id: 'p',
  parkedAt: '2030-01-01T00:00:00.000Z',
  kind: 'stdio',
  url: '',
  timeout: null,
  name: 'tool',
  command: 'uvx',
  args: ['x'],
  hasApiKey: false,
  env: [{ name: 'TOKEN', isSet: true }],
  otherMembers: ['cwd'],
};
const result = { ok: true as const, server: 'W 1', tools: ['a'], count: 1, message: 'm' };

/** An event of each kind; the compiler reports missing kinds. */
const events: { [K in ServerEvent['kind']]: Extract<ServerEvent, { kind: K }> } = {
  added: { kind: 'added', servers: [], notices: ['n'] },
  parked: { kind: 'parked', servers: [parked] },
  working: { kind: 'working', words: 'w' },
  done: { kind: 'done', notices: ['n'], failed: false, goTo: { list: 'parked', id: 'p' } },
  test: { kind: 'test', id: 'a', result },
};
const requests: { [K in ServerRequest['kind']]: Extract<ServerRequest, { kind: K }> } = {
  import: { kind: 'import' },
  export: { kind: 'export' },
  test: { kind: 'test', id: 'a' },
  cancelTest: { kind: 'cancelTest', id: 'a' },
  park: { kind: 'park', id: 'a' },
  restore: { kind: 'restore', id: 'a' },
  deleteParked: { kind: 'deleteParked', id: 'a' },
};

describe('messages about MCP servers', () => {
  for (const event of Object.values(events))
    it(`deliver "${event.kind}" to the form unchanged`, () => {
      const message = { type: 'servers', event };
      assert.deepEqual(parseHostMessage(structuredClone(message)), { ok: true, message });
    });
  for (const request of Object.values(requests))
    it(`deliver "${request.kind}" to the host unchanged`, () => {
      const message = { type: 'servers', document: 'd', request };
      assert.deepEqual(parseWebviewMessage(structuredClone(message)), { ok: true, message });
    });

  const long = 'x'.repeat(2_001);
  const toForm: [what: string, event: unknown][] = [
    ['an unknown kind', { kind: 'steal' }],
    ['a parked server with its secrets', { kind: 'parked', servers: [{ ...parked, wire: {} }] }],
    [
      'the value of a variable',
      { kind: 'parked', servers: [{ ...parked, env: [{ name: 'A', isSet: true, value: 'v' }] }] },
    ],
    [
      'more tools than are shown',
      { kind: 'test', id: 'a', result: { ...result, tools: Array(mostToolsShown + 1).fill('t') } },
    ],
    ['a tool with an overlong name', { kind: 'test', id: 'a', result: { ...result, tools: [long] } }],
    ['an overlong message', { kind: 'test', id: 'a', result: { ok: false, message: long } }],
  ];
  for (const [what, event] of toForm)
    it(`are refused in the form with ${what}`, () =>
      assert.equal(parseHostMessage({ type: 'servers', event }).ok, false));

  const toHost: [what: string, request: unknown][] = [
    ['an unknown kind', { kind: 'run', id: 'a' }],
    ['an address to test', { kind: 'test', id: 'a', url: 'https://x.example' }],
    ['an overlong ID', { kind: 'park', id: long }],
    ['no id', { kind: 'restore' }],
    ['a path to import', { kind: 'import', path: '/etc/passwd' }],
  ];
  for (const [what, request] of toHost)
    it(`are refused in the host with ${what}`, () =>
      assert.equal(parseWebviewMessage({ type: 'servers', document: 'd', request }).ok, false));
});
