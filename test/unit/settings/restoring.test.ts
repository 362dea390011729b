import assert from 'node:assert/strict';
import type { Conflict, FormEdits, FormModel } from '../../../src/features/settings/shared/form';
import type { McpEnvEntry, McpServer } from '../../../src/shared/mcp';
import { plainDefaults } from '../../../src/shared/settings';
import { restoreEdits } from '../../../src/features/settings/model/draft';

const notSet = { presence: 'notSet', intention: 'keep' } as const;
const set = { presence: 'set', intention: 'keep' } as const;

const remote = (id: string, changes: Partial<McpServer> = {}): McpServer => ({
  id,
  kind: 'shttp',
  url: `https://${id}.example.com/mcp`,
  apiKey: set,
  timeout: 60,
  name: '',
  command: '',
  args: [],
  env: [],
  ...changes,
});

const tool = (env: McpEnvEntry[], changes: Partial<McpServer> = {}): McpServer => ({
  ...remote('tool', { kind: 'stdio', url: '', apiKey: notSet, timeout: null }),
  name: 'tool',
  command: 'run',
  env,
  ...changes,
});

const edits = (mcpServers: McpServer[] | null): FormEdits => ({ values: {}, secrets: {}, mcpServers });

const words = (overlaps: readonly Conflict[]) =>
  overlaps.map(({ label, mine, theirs, previous }) => [label, mine, theirs, previous]);

/** The servers and overlaps of edits made on `previous`, on top of `now`. */
function restored(previous: McpServer[], mine: McpServer[], now: McpServer[]) {
  const more = { fields: [], elsewhere: [] };
  const model = { values: plainDefaults, lacks: [], mcpServers: now, more } as unknown as FormModel;
  const result = restoreEdits(edits(mine), { values: {}, mcpServers: previous }, model);
  return { servers: result.edits.mcpServers, overlaps: result.overlaps, dropped: result.dropped };
}

describe('settings: restored edits of servers', () => {
  it('keep half-typed variables of a server that hasn’t changed', () => {
    const previous = [tool([])];
    const unnamed = { name: '', originalName: 'variable-1', ...notSet };
    const mine = [tool([unnamed, { ...unnamed, originalName: 'variable-2' }])];
    assert.deepEqual(restored(previous, mine, previous), { servers: mine, overlaps: [], dropped: [] });
  });

  it('don’t clear the value of a new variable that the service has by now', () => {
    const previous = [tool([])];
    const typed = { name: 'TOKEN', originalName: 'variable-1', ...notSet };
    const now = [tool([{ name: 'TOKEN', ...set }])];
    const { servers } = restored(previous, [tool([typed], { command: 'other' })], now);
    assert.deepEqual(servers?.[0]?.env, [{ name: 'TOKEN', ...set }]);
    assert.equal(servers[0].command, 'other');
  });

  it('rename a variable without a value', () => {
    const previous = [tool([{ name: 'A', ...notSet }])];
    const mine = [tool([{ name: 'B', originalName: 'A', ...notSet }])];
    const now = [tool([{ name: 'A', ...notSet }], { command: 'other' })];
    const { servers, overlaps } = restored(previous, mine, now);
    assert.deepEqual(servers, mine);
    assert.deepEqual(words(overlaps), [
      [
        'tool',
        'env.A: Deleted · env.B: Added',
        'command: other',
        'env.A: Not set · env.B: None · command: run',
      ],
    ]);
  });

  it('clear a renamed variable', () => {
    const previous = [tool([{ name: 'A', ...set }])];
    const mine = [tool([{ name: 'B', originalName: 'A', presence: 'set', intention: 'clear' }])];
    const now = [tool([{ name: 'A', ...set }], { command: 'other' })];
    const { servers } = restored(previous, mine, now);
    assert.deepEqual(servers?.[0]?.env, mine[0]?.env);
  });

  it('are the user’s as a whole where both changed a server, with the values that are still there', () => {
    const all = (...names: string[]) => names.map((name) => ({ name, ...set }));
    const previous = [remote('one'), tool(all('A', 'B', 'C', 'D'))];
    const mine = [
      remote('one'),
      tool([
        { name: 'A2', originalName: 'A', ...set },
        { name: 'B', presence: 'set', intention: 'clear' },
        { name: 'C2', originalName: 'C', ...set },
        ...all('D'),
        { name: 'NEW', originalName: 'variable-1', ...notSet },
        { name: 'OTHER', originalName: 'variable-2', ...notSet },
      ]),
    ];
    const now = [remote('one'), tool(all('D', 'B', 'A', 'THEIRS'), { command: 'other' })];
    const { servers, overlaps, dropped } = restored(previous, mine, now);
    const [, edited] = mine;
    const env = edited?.env.map((entry) => (entry.name === 'C2' ? { ...entry, ...notSet } : entry));
    assert.deepEqual(servers, [remote('one'), { ...edited, env }]);
    assert.deepEqual(words(overlaps), [
      [
        'tool',
        'env.B: Cleared · env.A2: Renamed · env.C2: Renamed · env.NEW: Added · env.OTHER: Added',
        'command: other · env.C: Deleted · env.THEIRS: Added',
        'env.A: Set · env.B: Set · env.C: Set · env.A2: None · env.C2: None · env.NEW: None · ' +
          'env.OTHER: None · command: run · env.THEIRS: None',
      ],
    ]);
    assert.deepEqual(dropped, ['tool: env.C2']);
  });

  it('leave out an unchanged server that somebody else deleted', () => {
    const kept = tool([{ name: 'A', ...set }]);
    const { servers, overlaps } = restored(
      [remote('one'), kept],
      [remote('one', { timeout: 5 }), kept],
      [remote('one')],
    );
    assert.deepEqual([servers, overlaps], [[remote('one', { timeout: 5 })], []]);
  });

  it('keep a variable that was replaced in the form since', () => {
    const replaced = { name: 'B', presence: 'notSet', intention: 'replace' } as const;
    const mine = [
      tool([
        { name: 'A2', originalName: 'A', ...set },
        { name: 'B', ...notSet },
      ]),
    ];
    const previous = [
      tool([
        { name: 'A', ...set },
        { name: 'B', ...notSet },
      ]),
    ];
    const now = [tool([{ name: 'A', ...set }, replaced])];
    assert.deepEqual(restored(previous, mine, now).servers?.[0]?.env, [
      { name: 'A2', originalName: 'A', ...set },
      replaced,
    ]);
  });

  it('clear a key that was typed in the form since, if the draft cleared it', () => {
    const cleared = { presence: 'set', intention: 'clear' } as const;
    const now = [remote('one', { timeout: 5, apiKey: { presence: 'set', intention: 'replace' } })];
    const { servers } = restored([remote('one')], [remote('one', { apiKey: cleared })], now);
    assert.deepEqual(servers, [remote('one', { apiKey: cleared })]);
  });

  it('keep a secret that was replaced in the form since', () => {
    const previous = [remote('one')];
    const now = [remote('one', { apiKey: { presence: 'set', intention: 'replace' } })];
    const { servers } = restored(previous, [remote('one', { timeout: 5 })], now);
    assert.deepEqual(servers, [
      remote('one', { timeout: 5, apiKey: { presence: 'set', intention: 'replace' } }),
    ]);
  });

  it('clear a key', () => {
    const previous = [remote('one')];
    const cleared = { presence: 'set', intention: 'clear' } as const;
    const now = [remote('one', { timeout: 5 })];
    const { servers, overlaps } = restored(previous, [remote('one', { apiKey: cleared })], now);
    assert.deepEqual(servers, [remote('one', { apiKey: cleared })]);
    assert.equal(overlaps.length, 1);
  });

  it('name the key that is gone from a server, and keep one that is new', () => {
    const mine = remote('one', { timeout: 5 });
    const gone = restored([remote('one')], [mine], [remote('one', { apiKey: notSet })]);
    assert.deepEqual(gone.servers, [{ ...mine, apiKey: notSet }]);
    assert.deepEqual(words(gone.overlaps), [
      [mine.url, 'timeout: 5', 'api_key: Cleared', 'timeout: 60 · api_key: Set'],
    ]);
    assert.deepEqual(gone.dropped, [`${mine.url}: api_key`]);
    const without = { ...mine, apiKey: notSet };
    const added = restored([remote('one', { apiKey: notSet })], [without], [remote('one')]);
    assert.deepEqual([added.servers, added.dropped], [[mine], []]);
    assert.equal(added.overlaps.length, 1);
  });

  it('don’t take the value of another variable that has the name now', () => {
    const previous = [tool([{ name: 'A', ...set }])];
    const mine = [tool([{ name: 'B', originalName: 'A', ...set }])];
    const { servers, dropped } = restored(previous, mine, [tool([{ name: 'B', ...set }])]);
    assert.deepEqual(servers?.[0]?.env, [{ name: 'B', originalName: 'A', ...notSet }]);
    assert.deepEqual(dropped, ['tool: env.B']);
  });

  it('keep the address of a server whose kind changed', () => {
    const previous = [remote('one')];
    const mine = [remote('one', { kind: 'stdio', name: 'one', command: 'run' })];
    const now = [remote('one', { apiKey: notSet })];
    const { servers } = restored(previous, mine, now);
    assert.equal(servers?.[0]?.url, 'https://one.example.com/mcp');
    assert.equal(servers[0].kind, 'stdio');
  });

  it('don’t undo somebody else’s new order', () => {
    const [one, two] = [remote('one'), remote('two')];
    const { servers } = restored([one, two], [{ ...one, timeout: 5 }, two], [two, one]);
    assert.deepEqual(
      servers?.map(({ id }) => id),
      ['two', 'one'],
    );
  });

  it('find a server again by the label the user gave it', () => {
    const mine = [remote('one', { url: 'https://new.example.com/mcp' })];
    const now = [remote('other', { url: 'https://new.example.com/mcp' })];
    const { servers, overlaps } = restored([remote('one')], mine, now);
    assert.deepEqual(servers, now);
    assert.deepEqual(overlaps, []);
  });

  it('never take two servers with keys on one host for the same', () => {
    const previous = [remote('one', { url: 'https://host.example.com/a' })];
    const now = [remote('other', { url: 'https://host.example.com/b' })];
    const mine = [{ ...(previous[0] ?? remote('one')), timeout: 5 }];
    const { servers, overlaps } = restored(previous, mine, now);
    assert.deepEqual(
      servers?.map(({ url, timeout }) => [url, timeout]),
      [
        ['https://host.example.com/a', 5],
        ['https://host.example.com/b', 60],
      ],
    );
    assert.deepEqual(
      overlaps.map(({ target }) => target),
      [{ at: 'mcp', id: 'one', member: 'server' }],
    );
  });

  it('keep a new server with its variables', () => {
    const added = tool([{ name: 'A', ...notSet }], { id: 'new-1' });
    assert.deepEqual(restored([remote('one')], [remote('one'), added], [remote('one')]).servers, [
      remote('one'),
      added,
    ]);
  });

  it('keep a copy with the secrets of its source for as long as that is there', () => {
    const copy = remote('new-1', { url: 'https://copy.example.com/mcp', copiedFrom: 'one' });
    const now = remote('later', { url: 'https://one.example.com/mcp' });
    assert.deepEqual(restored([remote('one')], [remote('one'), copy], [now]).servers, [
      now,
      { ...copy, copiedFrom: 'later' },
    ]);
    const { copiedFrom: _gone, ...alone } = copy;
    assert.deepEqual(restored([remote('one')], [remote('one'), copy], []).servers, [
      { ...alone, apiKey: notSet },
    ]);
  });

  it('keep a new server beside one that somebody else added with the same address', () => {
    const added = remote('new-1', { url: 'https://two.example.com/mcp', apiKey: notSet, timeout: 5 });
    const { servers } = restored([], [added], [remote('two')]);
    assert.deepEqual(servers?.map(({ id }) => id).toSorted(), ['new-1', 'two']);
  });

  it('keep half-typed variables of a server beside others', () => {
    const unnamed = { name: '', originalName: 'variable-1', ...notSet };
    const previous = [remote('one'), tool([])];
    const mine = [remote('one', { timeout: 5 }), tool([unnamed, { ...unnamed, originalName: 'variable-2' }])];
    assert.deepEqual(restored(previous, mine, previous), { servers: mine, overlaps: [], dropped: [] });
  });

  it('are the form’s own, half-typed text and all, where the user changed nothing', () => {
    const unnamed = { name: '', originalName: 'variable-1', ...notSet };
    const now = [tool([unnamed, { ...unnamed, originalName: 'variable-2' }], { command: 'other' })];
    assert.deepEqual(restored([tool([])], [tool([])], now), { servers: now, overlaps: [], dropped: [] });
  });

  it('ask about a deleted variable or server that got a secret since', () => {
    const deleted = restored([tool([{ name: 'A', ...notSet }])], [tool([])], [tool([{ name: 'A', ...set }])]);
    assert.deepEqual(
      deleted.overlaps.map(({ label }) => label),
      ['tool'],
    );
    const gone = restored([remote('one', { apiKey: notSet })], [], [remote('one')]);
    assert.deepEqual(
      gone.overlaps.map(({ target }) => target),
      [{ at: 'mcp', id: 'one', member: 'server' }],
    );
  });

  it('are none unless the user touched the list and the draft has what it was', () => {
    const more = { fields: [], elsewhere: [] };
    const servers = [remote('one')];
    const model = { values: plainDefaults, lacks: [], mcpServers: servers, more } as unknown as FormModel;
    for (const [mine, previous] of [
      [null, servers],
      [servers, null],
      [null, null],
    ] as const) {
      const { edits: kept } = restoreEdits(
        edits(mine && [...mine]),
        { values: {}, mcpServers: previous && [...previous] },
        model,
      );
      assert.equal(kept.mcpServers, null);
    }
  });
});
