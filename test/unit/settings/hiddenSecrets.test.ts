import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/shared/json';
import { listOfKind, type McpKind } from '../../../src/shared/mcp';
import {
  hiddenSecrets,
  hides,
  revealed,
  asServiceShows,
} from '../../../src/features/settings/model/hiddenSecrets';
import type { Merged } from '../../../src/features/settings/model/merge';
import { readServers, type HeldServer } from '../../../src/features/settings/model/servers';

const url = 'https://one.example.com/mcp';
const mask = '**********';

/** Servers as they are read from their objects. */
const read = (kind: McpKind, ...list: Json[]): HeldServer[] => readServers({ [listOfKind[kind]]: list });
const rawOf = (servers: readonly HeldServer[]) => servers.map(({ raw }) => raw);

describe('secrets in place of masks', () => {
  const named = (name: string, api_key: Json = mask) => ({ name, url, api_key });

  it('come from the server with the same name in the service’s map', () => {
    const shown = read('shttp', named('a'), named('b'));
    const known = read('shttp', named('b', 'key of b'), named('a', 'key of a'));
    assert.deepEqual(rawOf(revealed(shown, known)), [named('a', 'key of a'), named('b', 'key of b')]);
  });

  it('come from one without a name only if nothing else can be meant', () => {
    const added = { url, api_key: 'new key' };
    const other = { url, api_key: 'other key' };
    const reveal = (shown: Json[], known: Json[]) =>
      rawOf(revealed(read('shttp', ...shown), read('shttp', ...known)));
    assert.deepEqual(reveal([named('a')], [added]), [named('a', 'new key')]);
    const told = { ...named('a'), transport: 'http' };
    assert.deepEqual(reveal([told], [added]), [{ ...told, api_key: 'new key' }]);
    assert.deepEqual(reveal([told], [{ ...added, transport: 'other' }]), [told]);
    assert.deepEqual(reveal([named('a')], [added, other]), [named('a')]);
    assert.deepEqual(reveal([named('a'), named('b')], [added]), [named('a'), named('b')]);
    assert.deepEqual(reveal([named('a')], [named('b', 'key of b')]), [named('a')]);
  });

  it('stay masked where nothing fits', () => {
    const env = { A: mask, B: mask };
    const tool = { name: 'tool', command: 'run', args: ['a'], env };
    const reveal = (known: Record<string, Json>) =>
      rawOf(revealed(read('stdio', tool), read('stdio', { ...tool, ...known })));
    assert.deepEqual(reveal({ env: { A: 'a' } }), [{ ...tool, env: { A: 'a', B: mask } }]);
    for (const known of [{ env: null }, { env: { A: null, B: 5 } }, { command: 'steal' }, { args: ['b'] }])
      assert.deepEqual(reveal({ env: { A: 'a' }, ...known }), [tool]);
  });

  it('replace no value that is shown', () => {
    const shown = read('shttp', { url, api_key: mask, headers: { A: 'shown', B: mask } });
    const known = read('shttp', { url, api_key: 'key', headers: { A: 'shown', B: 'b' } });
    assert.deepEqual(rawOf(revealed(shown, known)), [
      { url, api_key: 'key', headers: { A: 'shown', B: 'b' } },
    ]);
  });

  it('follow no server of which anything else that shows has changed', () => {
    const known = { name: 'tool', command: 'node', args: ['s.js'], cwd: '/mine', env: { A: 'a', MODE: 'x' } };
    const shown = { ...known, env: { A: mask, MODE: 'x' } };
    const keyOf = (now: Record<string, Json>) =>
      (rawOf(revealed(read('stdio', { ...shown, ...now }), read('stdio', known)))[0]!['env'] as JsonObject)[
        'A'
      ];
    for (const now of [
      {},
      { env: { A: mask, MODE: mask } },
      { env: { A: mask } },
      { timeout: null, tools: [] },
    ])
      assert.equal(keyOf(now), 'a', JSON.stringify(now));
    const changes: Record<string, Json>[] = [
      { cwd: '/theirs' },
      { cwd: null },
      { command: '/tmp/node' },
      { args: ['s.js', '--inspect'] },
      { shell: true },
      { transport: { proxy: 'https://evil.example' } },
      { timeout: 5 },
      { env: { A: mask, MODE: 'y' } },
      { env: { A: mask, MODE: 'x', NODE_OPTIONS: '--require /tmp/x.js' } },
      { env: { A: mask, MODE: 'x', DEEP: { PATH: '/tmp' } } },
      { headers: { 'X-Forward': 'evil.example' } },
    ];
    for (const now of changes) assert.equal(keyOf(now), mask, JSON.stringify(now));
    const remote = { url, api_key: 'key', transport: 'http' };
    const other = read('shttp', { ...remote, api_key: mask, transport: 'sse' });
    assert.equal(rawOf(revealed(other, read('shttp', remote)))[0]!['api_key'], mask);
  });
});

describe('a server as a service shows it that hides secrets', () => {
  const seen = (kind: McpKind, raw: Json) => rawOf(read(kind, raw).map(asServiceShows))[0];

  it('has masks for its secrets, and no empty ones', () => {
    const headers = { A: 'a', EMPTY: '', NONE: null, NUMBER: 5, DEEP: { B: 'b' } };
    assert.deepEqual(seen('shttp', { url, description: 'Mine', api_key: 'key', headers, auth: '' }), {
      url,
      description: 'Mine',
      api_key: mask,
      headers: { A: mask, NUMBER: 5, DEEP: { B: mask } },
      auth: '',
    });
    assert.deepEqual(seen('stdio', { name: 'tool', command: 'run', env: { A: 'a' } }), {
      name: 'tool',
      command: 'run',
      env: { A: mask },
    });
  });

  it('hides something at any depth, but not by a star or two', () => {
    assert.equal(hides({ url, headers: { A: { B: '***' } } }), true);
    assert.equal(hides({ url, headers: { A: '**' }, args: '*' }), false);
  });
});

describe('a hidden secret that a save would lose', () => {
  it('is named by what it is', () => {
    const [remote] = read('shttp', { url, api_key: mask });
    const [local] = read('stdio', { name: 'tool', command: 'tool', env: { PLAIN: 'x', TOKEN: mask } });
    const servers = [remote, local].filter((one) => one !== undefined);
    const fresh = { abilities: { replaces: true, keepsHidden: false } };
    const problems = hiddenSecrets({
      fresh,
      servers,
      serversChange: true,
      changes: true,
    } as unknown as Merged);
    assert.deepEqual(
      problems.map(({ message }) => /hides the value of (.*), and/.exec(message)?.[1]),
      ['API key', 'TOKEN'],
    );
  });
});
