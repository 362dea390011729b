import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { age, duration } from '../../../src/shared/age';
import { atMost, listOf, shortText, someText } from '../../../src/shared/bounded';
import { address, amount, email, wholeNumber } from '../../../src/shared/fieldKinds';
import { type ErrorTarget, targetKey } from '../../../src/features/settings/shared/form';
import { isJsonObject } from '../../../src/shared/json';
import {
  kindLabel,
  mcpCommandSchema,
  mcpEnvNameSchema,
  mcpKinds,
  mcpNameSchema,
  mcpTimeoutSchema,
  mcpUrlSchema,
} from '../../../src/shared/mcp';
import { moreRefusal, moreValuesSchema, type MoreField } from '../../../src/shared/moreFields';
import { secretNames } from '../../../src/shared/parked';
import { parseWith } from '../../../src/shared/parsed';
import { refusal } from '../../../src/shared/refusal';
import { repositoryName } from '../../../src/shared/repositoryName';
import { profileName, secretName } from '../../../src/shared/serviceNames';
import { thrownText } from '../../../src/shared/thrown';

describe('values', () => {
  it('are objects if they are neither null nor a list', () => {
    assert.ok(isJsonObject({}));
    for (const value of [null, [], 'text', 1, undefined]) assert.equal(isJsonObject(value), false);
  });

  it('fit within their bounds', () => {
    const fits = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;
    assert.deepEqual(
      ['ab', 'abc'].map((text) => fits(z.string().check(atMost(2)), text)),
      [true, false],
    );
    assert.deepEqual(
      ['a'.repeat(2_000), 'a'.repeat(2_001)].map((text) => fits(shortText, text)),
      [true, false],
    );
    assert.deepEqual(
      [[1], [1, 2]].map((list) => fits(listOf(z.number(), 1), list)),
      [true, false],
    );
    assert.deepEqual(
      ['', 'a'].map((text) => fits(someText, text)),
      [false, true],
    );
  });

  it('are refused with the words of their rule', () => {
    const rule = z.string().check(z.regex(/^a$/, { error: () => 'Enter an a.' }));
    assert.equal(refusal(rule, 'b'), 'Enter an a.');
    assert.equal(refusal(rule, 'a'), undefined);
  });
});

describe('times', () => {
  const second = 1_000;
  const [minute, hour, day] = [60 * second, 3_600 * second, 86_400 * second];
  const spans: [ms: number, span: string | undefined][] = [
    [minute - 1, undefined],
    [minute, '1 min'],
    [hour - 1, '59 min'],
    [hour, '1 h'],
    [day - 1, '23 h'],
    [day, '1 d'],
    [20 * day + hour, '20 d'],
  ];

  it('are named by how long ago they were', () => {
    const now = Date.UTC(2026, 0, 30);
    for (const [ms, span] of spans)
      assert.equal(
        age(new Date(now - ms).toISOString(), now),
        span === undefined ? 'just now' : `${span} ago`,
      );
    assert.equal(age(new Date(now + day).toISOString(), now), 'just now');
    for (const unknown of [undefined, null, '', 'soon']) assert.equal(age(unknown, now), undefined);
  });

  it('have a length in words from a minute on', () => {
    for (const [ms, span] of spans) assert.equal(duration(ms), span);
  });
});

describe('values of fields that the service describes', () => {
  const field = (control: MoreField['control']) => ({
    path: 'a.b',
    label: 'B',
    help: '',
    group: 'A',
    control,
    choices: [
      { value: 'low', label: 'Low' },
      { value: 'mid', label: 'Middle' },
    ],
    default: null,
    isProminent: true,
    dependsOn: [],
  });
  const rows: [control: MoreField['control'], good: unknown[], bad: unknown[]][] = [
    ['text', [null, '', 'x'], [1, true]],
    ['wholeNumber', [null, 0, -3], [1.5, '1', 2 ** 53]],
    ['amount', [null, 0.5], ['1', true]],
    ['flag', [null, false], [0, 'true']],
    ['choice', [null, 'low'], ['high', 1]],
  ];
  for (const [control, good, bad] of rows)
    it(`are of their kind (${control})`, () => {
      const refused = (value: unknown) => moreRefusal(field(control), value as string) !== undefined;
      assert.deepEqual([good.filter(refused), bad.filter(refused)], [[], bad]);
    });

  it('are refused in words', () => {
    assert.equal(moreRefusal(field('choice'), 'high'), 'Select one of the offered values.');
    assert.equal(moreRefusal(field('wholeNumber'), 1.5), 'Enter a whole number.');
  });
});

describe('values of fields', () => {
  const fits = (kind: { schema: z.ZodMiniType }, ...values: unknown[]) =>
    values.filter((value) => kind.schema.safeParse(value).success);

  it('are whole numbers from 1 on, and amounts from 0 on, or nothing', () => {
    assert.deepEqual(fits(wholeNumber, null, 1, 2 ** 40, 0, -1, 1.5, 2 ** 53, '1'), [null, 1, 2 ** 40]);
    assert.deepEqual(fits(amount, null, 0, 0.5, -0.5, Infinity, '1'), [null, 0, 0.5]);
  });

  it('are addresses by http, or empty', () => {
    const good = [null, '', 'http://a', 'https://a.example/b?c'];
    const bad = ['a', 'a.example', 'ftp://a', 'file:///a', 'http://', 'javascript:x'];
    assert.deepEqual(fits(address, ...good, ...bad), good);
  });

  it('are email addresses, or empty', () => {
    const good = [null, '', 'ada@example.com', 'a@b'];
    const bad = ['ada', '@b', 'a@', 'a b@c', 'a@b c', 'a@b@c', ' a@b', 'a@b ', '@a@b'];
    assert.deepEqual(fits(email, ...good, ...bad), good);
  });
});

describe('what an error of a save is about', () => {
  it('has a name of its own', () => {
    const targets: ErrorTarget[] = [
      { at: 'field', field: 'llm_model' },
      { at: 'mcp', id: 'a', member: 'url' },
      { at: 'more', path: 'a.b' },
      { at: 'form' },
    ];
    assert.deepEqual(targets.map(targetKey), ['field:llm_model', 'mcp:a:url', 'more:a.b', 'form']);
  });
});

describe('what was thrown', () => {
  it('is reported in its own words', () => {
    assert.deepEqual([new Error('a'), 'b', 7, undefined].map(thrownText), ['a', 'b', '7', 'undefined']);
  });
});

describe('values of a message', () => {
  it('are at most 5,000', () => {
    const fits = (count: number) =>
      moreValuesSchema.safeParse(Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, at])))
        .success;
    assert.deepEqual([fits(0), fits(5_000), fits(5_001)], [true, true, false]);
  });

  it('have any name of a sensible length, and one that can’t be read is named', () => {
    const read = (json: string) => parseWith(moreValuesSchema, JSON.parse(json));
    const own = read('{"__proto__": 1, "a": null}');
    assert.deepEqual(own.ok && Object.entries(own.message), [
      ['__proto__', 1],
      ['a', null],
    ]);
    assert.deepEqual(
      [2_000, 2_001].map((length) => read(`{"${'a'.repeat(length)}": 1}`).ok),
      [true, false],
    );
    const bad = read('{"a": 1, "b": {}}');
    assert.match(bad.ok ? '' : bad.reason, /at "b"$/);
    for (const json of ['[]', 'null', '"a"']) assert.equal(read(json).ok, false);
  });
});

describe('messages that are refused', () => {
  const schema = z.object({ list: z.array(z.object({ name: z.string() })) });

  it('name the place, without the value', () => {
    assert.deepEqual(parseWith(schema, { list: [{ name: 'a' }, { name: 7 }] }), {
      ok: false,
      reason: 'invalid_type at "list.1.name"',
    });
    assert.deepEqual(parseWith(schema, 'canary'), { ok: false, reason: 'invalid_type at ""' });
  });

  it('name a forged place only in part', () => {
    const record = z.record(z.string(), z.number());
    const parsed = parseWith(record, { ['a'.repeat(1_000)]: 'x' });
    assert.ok(!parsed.ok);
    assert.equal(parsed.reason, `invalid_type at "${'a'.repeat(200)}"`);
  });
});

describe('names', () => {
  const fits = (rule: RegExp, ...texts: string[]) => texts.filter((text) => rule.test(text));

  it('have an owner for repositories, with or without groups', () => {
    const good = ['a/b', 'acme/shop', 'acme/tools/web/shop'];
    const bad = ['', 'shop', '/shop', 'acme/', 'acme//shop', 'a b/c', 'a/b c', ' a/b', 'a/b ', 'a/b/'];
    assert.deepEqual(fits(repositoryName, ...good, ...bad), good);
  });

  it('reach no other route for profiles', () => {
    const good = ['a', 'My-profile_1.2', '...', '.a', 'a'.repeat(64)];
    const bad = ['', '.', '..', 'a/b', 'a b', 'ä', 'a'.repeat(65)];
    assert.deepEqual(fits(profileName, ...good, ...bad), good);
  });

  it('are names of variables for secrets', () => {
    const good = ['A', '_', 'API_KEY_2', 'a1'];
    const bad = ['', '1A', 'A-B', 'A B', 'A=', '-A', 'Ä'];
    assert.deepEqual(fits(secretName, ...good, ...bad), good);
  });
});

describe('MCP servers', () => {
  it('have a word for each kind', () => {
    assert.deepEqual(mcpKinds.map(kindLabel), ['SSE', 'Command', 'HTTP']);
  });

  it('have an address with a host, by http or a socket', () => {
    const good = ['http://a', 'https://a/b', 'ws://a', 'wss://a', 'HTTPS://a'];
    const bad = ['', 'a', 'ftp://a', 'file:///a', 'https://', 'ws:'];
    assert.deepEqual(
      [...good, ...bad].filter((url) => mcpUrlSchema.safeParse(url).success),
      good,
    );
  });

  it('have names, commands, and variables without spaces', () => {
    const fits = (schema: z.ZodMiniType, ...texts: string[]) =>
      texts.filter((text) => schema.safeParse(text).success);
    assert.deepEqual(fits(mcpNameSchema, 'a-B_1', '', 'a b', 'a.b', 'ä'), ['a-B_1']);
    assert.deepEqual(fits(mcpCommandSchema, '/bin/npx', '', 'npx -y', ' npx', 'npx\n'), ['/bin/npx']);
    assert.deepEqual(fits(mcpEnvNameSchema, 'KEY', 'a.b', '', 'A=B', 'A B', 'A\0'), ['KEY', 'a.b']);
  });

  it('wait from a second to an hour', () => {
    const good = [null, 1, 60, 3600];
    assert.deepEqual(
      [...good, 0, -1, 1.5, 3601, '60'].filter((seconds) => mcpTimeoutSchema.safeParse(seconds).success),
      good,
    );
  });

  it('name what is secret when they’re parked', () => {
    const server = {
      kind: 'stdio',
      hasApiKey: true,
      env: [
        { name: 'SET', isSet: true },
        { name: 'EMPTY', isSet: false },
      ],
      otherMembers: ['headers'],
    } as unknown as Parameters<typeof secretNames>[0];
    assert.deepEqual(secretNames(server), ['api_key', 'env.SET', 'headers']);
    assert.deepEqual(secretNames({ ...server, hasApiKey: false, env: [], otherMembers: [] }), []);
  });
});
