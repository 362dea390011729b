import assert from 'node:assert/strict';
import type { Json } from '../../../src/shared/json';
import { listOfKind, type McpKind } from '../../../src/shared/mcp';
import { matchServers } from '../../../src/features/settings/model/snapshot';
import type { MyServer } from '../../../src/features/settings/model/secrets';
import { readServers, type HeldServer } from '../../../src/features/settings/model/servers';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { fakeService } from './fakeService';

const read = (kind: McpKind, ...list: Json[]): HeldServer[] => readServers({ [listOfKind[kind]]: list });
const asMine = (servers: readonly HeldServer[]): MyServer[] =>
  servers.map((server) => ({ ...server, entries: [], source: server }));

/** Whether the one server of a list is found again as the one of a later list. */
function found(kind: McpKind, before: Json, after: Json, later = kind): 'yes' | 'no' {
  const previous = read(kind, before);
  const [match] = matchServers(previous, read(later, after), null);
  return match?.id === previous[0]?.id ? 'yes' : 'no';
}

describe('servers of one reading', () => {
  it('count once if they differ only in the order of members, at any depth', () => {
    const url = 'https://one.example.com';
    const more = { headers: { A: 'a', B: 'b' }, tags: [{ x: 1, y: 2 }] };
    const same = { tags: [{ y: 2, x: 1 }], headers: { B: 'b', A: 'a' }, url };
    assert.equal(read('shttp', { url, ...more }, same).length, 1);
    const others = [
      { ...same, headers: { A: 'b', B: 'a' } },
      { ...same, tags: [{ x: 2, y: 1 }] },
    ];
    assert.equal(read('shttp', { url, ...more }, ...others).length, 3);
  });
});

describe('servers of a later reading', () => {
  const host = 'https://one.example.com';
  const remotes: [what: string, before: Json, after: Json, expected: string][] = [
    ['the same label', { url: `${host}/a` }, { url: `${host}/a`, timeout: 5 }, 'yes'],
    ['the same path on the host', { url: `${host}/a` }, { url: `${host}/a/` }, 'yes'],
    ['the same path with another query', { url: `${host}/a/` }, { url: `${host}/a?b` }, 'yes'],
    ['another path', { url: `${host}/a` }, { url: `${host}/b` }, 'no'],
    ['the same key', { url: `${host}/a`, api_key: 'k' }, { url: `${host}/b`, api_key: 'k' }, 'yes'],
    ['another key', { url: `${host}/a`, api_key: 'k' }, { url: `${host}/b`, api_key: 'l' }, 'no'],
    ['a masked key', { url: `${host}/a`, api_key: '***' }, { url: `${host}/b`, api_key: '***' }, 'no'],
    [
      'the same key on another host',
      { url: `${host}/a`, api_key: 'k' },
      { url: 'https://two.example.com/a', api_key: 'k' },
      'no',
    ],
    ['no address', { url: 'nonsense' }, { url: 'more nonsense' }, 'no'],
    ['no address any longer', { url: `${host}/a` }, { url: 'nonsense' }, 'no'],
  ];
  for (const [what, before, after, expected] of remotes) {
    it(`are found again (${expected}) by ${what}`, () => {
      assert.equal(found('shttp', before, after), expected);
    });
  }

  const tool = { name: 'tool', command: 'run', args: ['a'], env: { A: '1' } };
  const tools: [what: string, change: Record<string, Json>, expected: string][] = [
    ['the same name', { name: 'tool', command: 'other' }, 'yes'],
    ['all but the name', {}, 'yes'],
    ['another command', { command: 'other' }, 'no'],
    ['other arguments', { args: ['b'] }, 'no'],
    ['other variables', { env: { A: '2' } }, 'no'],
  ];
  for (const [what, change, expected] of tools) {
    it(`are found again (${expected}) as a tool with ${what}`, () => {
      assert.equal(found('stdio', tool, { ...tool, name: 'new name', ...change }), expected);
    });
  }

  it('are found again by their label after a change of kind, but not by less', () => {
    const server = { url: `${host}/a`, api_key: 'k' };
    assert.equal(found('shttp', server, server, 'sse'), 'yes');
    assert.equal(found('shttp', server, { ...server, url: `${host}/a/` }, 'sse'), 'no');
  });

  it('are found again by what they share most, whatever the order', () => {
    const [first, second] = [
      { url: host, timeout: 1 },
      { url: host, timeout: 2 },
    ];
    const [x, y] = [tool, { ...tool, command: 'other' }];
    const more = { description: 'New' };
    for (const [kind, before, after] of [
      ['shttp', [first, second], [second, first]],
      [
        'stdio',
        [x, y],
        [
          { ...y, ...more },
          { ...x, ...more },
        ],
      ],
    ] as const) {
      const previous = read(kind, ...before);
      assert.deepEqual(
        matchServers(previous, read(kind, ...after), null).map(({ id }) => id),
        previous.map(({ id }) => id).toReversed(),
      );
    }
  });

  it('are not found again by having no command', () => {
    assert.equal(found('stdio', { name: 'one', command: '' }, { name: 'two', command: '' }), 'no');
  });

  it('are not found again by likeness when several could be meant', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ ...tool, name }));
    for (const [before, after] of [
      [[a!], [b!, c!]],
      [[b!, c!], [a!]],
    ] as const) {
      const previous = read('stdio', ...before);
      const ids = new Set(previous.map(({ id }) => id));
      const later = matchServers(previous, read('stdio', ...after), null);
      assert.deepEqual(
        later.filter(({ id }) => ids.has(id)),
        [],
      );
    }
  });

  it('are the ones that the user kept, where others with their label are gone', () => {
    const previous = read('shttp', { url: host, timeout: 1 }, { url: host, timeout: 2 });
    for (const kept of [0, 1]) {
      const mine = asMine(previous.slice(kept, kept + 1));
      const [later] = matchServers(previous, read('shttp', { url: host, timeout: 3 }), mine);
      assert.equal(later?.id, previous[kept]?.id);
    }
  });

  it('are those that the user added, if an earlier save stored them', () => {
    const added = asMine(
      read('shttp', { url: host, timeout: 1 }).map((server) => ({ ...server, id: 'new-1' })),
    );
    const [later] = matchServers([], read('shttp', { url: host, timeout: 1 }), added);
    assert.equal(later?.id, 'new-1');
  });

  it('never get the id of another one', () => {
    const [one, two] = read('shttp', { url: `${host}/a` }, { url: 'https://two.example.com' });
    assert.ok(one && two);
    // A server that was moved keeps its id.
    const moved = { ...two, id: one.id };
    const later = matchServers([moved], [one, two], null);
    assert.deepEqual(
      later.map(({ id }) => id),
      [`${one.id}-2`, one.id],
    );
    const [other] = matchServers([], [one], asMine([moved]));
    assert.equal(other?.id, `${one.id}-2`);
  });
});

/** The form of a service that answers with these members beside its own, or without those that are undefined. */
async function showing(members: Record<string, Json | undefined>) {
  const service = fakeService('observed', { language: 'de' });
  service.rewrite = (answer) => ({ ...answer, body: { ...(answer.body as object), ...members } });
  return (await SettingsDocument.load(service.client, service.safeguards)).model;
}

describe('settings: what the form shows', () => {
  it('is no email if the service shows none', async () => {
    for (const value of [undefined, null]) {
      const { email, emailVerified } = await showing({ email: value, email_verified: value });
      assert.deepEqual([email, emailVerified], [null, null]);
    }
    const { email, emailVerified } = await showing({ email: 'ada@example.com', email_verified: false });
    assert.deepEqual([email, emailVerified], ['ada@example.com', false]);
  });

  it('are the git providers with a token, and whether the service tells of them', async () => {
    const told = await showing({
      provider_tokens_set: { github: null, gitlab: 'git.example.com', no: false },
    });
    assert.deepEqual(told.providers, [
      { name: 'github', host: null },
      { name: 'gitlab', host: 'git.example.com' },
    ]);
    assert.equal(told.providersTold, true);
    assert.equal((await showing({ provider_tokens_set: {} })).providersTold, true);
    assert.equal((await showing({ provider_tokens_set: undefined })).providersTold, false);
  });

  it('are the kinds of unknown values that may hold a secret, and other values themselves', async () => {
    const { other } = await showing({
      a_text: 'canary',
      a_list: ['canary'],
      an_object: { key: 'canary' },
      a_number: 5,
      a_flag: true,
      nothing: null,
    });
    assert.doesNotMatch(JSON.stringify(other), /canary/);
    assert.deepEqual(
      other.filter(({ name }) => /^(an?_|nothing)/.test(name)),
      [
        { name: 'a_text', text: 'Text' },
        { name: 'a_list', text: 'List' },
        { name: 'an_object', text: 'Object' },
        { name: 'a_number', text: '5' },
        { name: 'a_flag', text: 'true' },
        { name: 'nothing', text: 'null' },
      ],
    );
  });
});

describe('settings: whether a secret is set', () => {
  const secrets = async (members: Record<string, Json | undefined>) =>
    (
      await showing({
        llm_api_key_set: undefined,
        search_api_key_set: undefined,
        llm_api_key: undefined,
        search_api_key: undefined,
        sandbox_api_key: undefined,
        ...members,
      })
    ).secrets;

  it('is what the service says about it, whatever it shows', async () => {
    const told = await secrets({ llm_api_key_set: false, llm_api_key: '***', search_api_key_set: true });
    assert.deepEqual([told.llm_api_key, told.search_api_key], ['notSet', 'set']);
  });

  it('is unknown where the service neither tells nor masks, except for a key that it would tell of', async () => {
    for (const shown of [undefined, null, '']) {
      const { llm_api_key, search_api_key, sandbox_api_key } = await secrets({ llm_api_key: shown });
      assert.deepEqual(
        [llm_api_key, search_api_key, sandbox_api_key],
        ['unknown', 'notSet', 'unknown'],
        String(shown),
      );
    }
  });

  it('stays unknown beside a key that is shown in clear', async () => {
    const { llm_api_key, sandbox_api_key } = await secrets({ llm_api_key: 'in-clear' });
    assert.deepEqual([llm_api_key, sandbox_api_key], ['set', 'unknown']);
  });

  it('is a mask’s presence in a service that masks', async () => {
    const { llm_api_key, sandbox_api_key } = await secrets({ llm_api_key: '**********' });
    assert.deepEqual([llm_api_key, sandbox_api_key], ['set', 'notSet']);
  });
});
