import assert from 'node:assert/strict';
import { parseListing, parseListings } from '../../../src/features/sandboxChanges/model/listing';

const [a, b, zeros] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];

interface Told {
  root?: string;
  remote?: string;
  base?: string;
  basis?: string;
  head?: string;
  sizes?: string;
  /** Names of large files. */
  large?: (string | Buffer)[];
  stats?: string;
  /** Names of what couldn’t be read. */
  unread?: (string | Buffer)[];
  /** Names as git quotes them. */
  old?: string;
  /** Entries: `100644 100644 <oid> <oid> M`, and names. */
  raw?: [entry: string, ...names: (string | Buffer)[]][];
}

/** The answer of the script. */
function answer(told: Told): Buffer {
  const { root = '/work/shop', remote = '', base = a, basis = 'remote', head = b } = told;
  const { sizes = '', stats = '', old = '' } = told;
  const ended = (names: readonly (string | Buffer)[]) =>
    Buffer.concat(names.flatMap((name) => [Buffer.from(name as string), Buffer.alloc(1)]));
  const large = ended(told.large ?? []);
  const unread = ended(told.unread ?? []);
  const raw = (told.raw ?? []).map(([entry, ...names]) => ended([`:${entry}`, ...names]));
  const lengths = [sizes.length, large.length, stats.length, unread.length, Buffer.byteLength(old)].map(
    String,
  );
  return Buffer.concat([
    ended([root, remote, base, basis, head, ...lengths]),
    Buffer.from(sizes),
    large,
    Buffer.from(stats),
    unread,
    Buffer.from(old),
    ...raw,
  ]);
}
const files = (told: Told) => parseListing(answer(told))?.files;

describe('the list of changes from a sandbox', () => {
  it('leaves out what was there before, under any name and as git quotes it by its settings', () => {
    const entry = `000000 100644 ${zeros} ${a} A`;
    const names = ['tab\tü', '\u2028"x"', 'ü', 'plain', 'new'];
    const raw = names.map((name): [string, string] => [entry, name]);
    const quotedAll = ['"tab\\t\\303\\274"', '"\\342\\200\\250\\"x\\""', '"\\303\\274"', 'plain'];
    const quotedSome = ['"tab\\tü"', '"\u2028\\"x\\""', 'ü', 'plain'];
    for (const old of [quotedAll, quotedSome])
      assert.deepEqual(
        files({ raw, old: `${old.join('\n')}\n` })?.map(({ path }) => path),
        ['new'],
      );
  });

  it('names the repository, with null for what it doesn’t have', () => {
    const listing = parseListing(answer({ remote: 'https://github.com/acme/shop.git' }));
    assert.deepEqual(listing, {
      repository: {
        root: '/work/shop',
        name: 'shop',
        remote: 'https://github.com/acme/shop.git',
        base: a,
        basis: 'remote',
        head: b,
      },
      files: [],
      complete: true,
      unread: [],
      names: new Map(),
    });
    const empty = parseListing(answer({ base: '', head: '', unread: ['x'] }));
    assert.deepEqual(
      [empty?.repository.remote, empty?.repository.base, empty?.repository.head, empty?.complete],
      [null, null, null, false],
    );
  });

  it('has no user name and password of a remote', () => {
    const remotes: [told: string, shown: string][] = [
      ['https://user:canary@github.com/a', 'https://github.com/a'],
      ['persistent-https::https://user:canary@github.com/a', 'persistent-https::https://github.com/a'],
      ['HTTPS://canary@github.com/a', 'HTTPS://github.com/a'],
      ['git+ssh://a:b@c@host/a@b', 'git+ssh://host/a@b'],
      ['https://github.com/a@b', 'https://github.com/a@b'],
      ['git@github.com:acme/shop.git', 'git@github.com:acme/shop.git'],
      ['/srv/git/x@y', '/srv/git/x@y'],
    ];
    for (const [told, shown] of remotes)
      assert.equal(parseListing(answer({ remote: told }))?.repository.remote, shown);
  });

  it('tells what became of each file, in the order of their paths', () => {
    const found = files({
      sizes: `${a} 5\n${b} 7\n`,
      raw: [
        [`100644 100644 ${a} ${b} M`, 'z'],
        [`000000 100755 ${zeros} ${b} A`, 'new'],
        [`100644 000000 ${a} ${zeros} D`, 'gone'],
        [`100644 100755 ${a} ${a} M`, 'mode'],
        [`100644 100644 ${a} ${b} R090`, 'old', 'moved'],
        [`100644 100644 ${a} ${b} C090`, 'old', 'copy'],
        [`100644 120000 ${a} ${b} T`, 'link'],
        [`160000 160000 ${a} ${b} M`, 'module'],
      ],
    });
    const [old, now] = [
      { oid: a, mode: '100644', size: 5 },
      { oid: b, mode: '100644', size: 7 },
    ];
    assert.deepEqual(found, [
      { path: 'copy', oldPath: 'old', kind: 'modified', before: old, after: now },
      { path: 'gone', kind: 'deleted', before: old, after: null },
      { path: 'link', kind: 'modified', before: old, after: { ...now, mode: '120000' } },
      { path: 'mode', kind: 'modeChanged', before: old, after: { ...old, mode: '100755' } },
      {
        path: 'module',
        kind: 'modified',
        before: { oid: a, mode: '160000', size: null },
        after: { oid: b, mode: '160000', size: null },
      },
      { path: 'moved', oldPath: 'old', kind: 'renamed', before: old, after: now },
      { path: 'new', kind: 'added', before: null, after: { ...now, mode: '100755' } },
      { path: 'z', kind: 'modified', before: old, after: now },
    ]);
  });

  it('leaves out what has no name or no known mode, and sizes that can’t be read', () => {
    const found = files({
      sizes: `${a} missing\n`,
      raw: [
        [`000000 000000 ${zeros} ${zeros} M`, 'nothing'],
        [`000000 040000 ${zeros} ${a} A`, 'folder'],
        [`0100644 100644x ${a} ${b} M`, 'odd'],
        [`100644 100644 ${a} ${b} M`, 'file'],
        [`100644 100644 ${a} ${b} M`],
      ],
    });
    assert.deepEqual(found, [
      {
        path: 'file',
        kind: 'modified',
        before: { oid: a, mode: '100644', size: null },
        after: { oid: b, mode: '100644', size: null },
      },
    ]);
  });

  it('has no hash, and no size, where git gave none', () => {
    const [file] = files({ sizes: `${a} 5\n`, raw: [['100644 100755', 'cut']] }) ?? [];
    const none = { oid: '', size: null };
    assert.deepEqual(
      [file?.before, file?.after],
      [
        { ...none, mode: '100644' },
        { ...none, mode: '100755' },
      ],
    );
  });

  it('shows a name that isn’t UTF-8 with its bytes as octal numbers', () => {
    const odd = Buffer.from([0x63, 0xe9, 0x1f, 0x7e, 0x7f, 0x20]);
    const [file] = files({ raw: [[`000000 100644 ${zeros} ${a} A`, odd]] }) ?? [];
    assert.deepEqual([file?.path, file?.unreadableName], ['c\\351\\037~\\177 ', true]);
    const [moved] = files({ raw: [[`100644 100644 ${a} ${a} R100`, odd, 'ü']] }) ?? [];
    assert.deepEqual([moved?.path, moved?.oldPath, moved?.unreadableName], ['ü', 'c\\351\\037~\\177 ', true]);
    const [bom] = files({ raw: [[`000000 100644 ${zeros} ${a} A`, '\ufeffa']] }) ?? [];
    assert.deepEqual([bom?.path, bom && 'unreadableName' in bom], ['\ufeffa', false]);
  });

  it('names what couldn’t be read', () => {
    const listing = parseListing(answer({ unread: ['a\nb', Buffer.from([0xe9])] }));
    assert.deepEqual([listing?.complete, listing?.unread], [false, ['a\nb', '\\351']]);
  });

  it('leaves out files that are as they were when the conversation began', () => {
    const names = ['plain', ' blank', 'q"uote', 'back\\slash', 'new\nline', 'ünï', 'mine'];
    const old = 'plain\n blank\n"q\\"uote"\n"back\\\\slash"\n"new\\nline"\n"\\303\\274n\\303\\257"\n';
    const raw = names.map((name): [string, string] => [`000000 100644 ${zeros} ${a} A`, name]);
    assert.deepEqual(
      files({ raw, old })?.map(({ path }) => path),
      ['mine'],
    );
  });

  it('knows the bytes of names by the content that is there now', () => {
    const raw: Told['raw'] = [
      [`100644 100644 ${a} ${b} R090`, 'old', 'moved'],
      [`100644 000000 ${a} ${zeros} D`, 'gone'],
    ];
    assert.deepEqual(parseListing(answer({ raw }))?.names, new Map([[b, Buffer.from('moved')]]));
  });

  it('has large files with their sizes and modes, in place of what git was told about them', () => {
    const found = files({
      sizes: `${a} 5\n`,
      large: ['known', 'tool', 'lost', Buffer.from([0xe9])],
      stats: '30000000 644\n40000000 755\n',
      raw: [
        [`100644 000000 ${a} ${zeros} D`, 'known'],
        [`100644 000000 ${a} ${zeros} D`, 'gone'],
      ],
    });
    assert.deepEqual(found, [
      {
        path: '\\351',
        kind: 'added',
        before: null,
        after: { oid: '', mode: '100644', size: null },
        unreadableName: true,
      },
      { path: 'gone', kind: 'deleted', before: { oid: a, mode: '100644', size: 5 }, after: null },
      {
        path: 'known',
        kind: 'modified',
        before: { oid: a, mode: '100644', size: 5 },
        after: { oid: '', mode: '100644', size: 30_000_000 },
      },
      { path: 'lost', kind: 'added', before: null, after: { oid: '', mode: '100644', size: null } },
      { path: 'tool', kind: 'added', before: null, after: { oid: '', mode: '100755', size: 40_000_000 } },
    ]);
  });

  it('is nothing else', () => {
    const odd = (root: string, length: string, basis = 'time') =>
      [root, '', '', basis, '', length, '0', '0', '0', '0', ''].join('\0');
    assert.ok(parseListing(Buffer.from(odd('/work', '0'))));
    for (const other of [
      '',
      'x',
      '/work\0',
      odd('work', '0'),
      odd('/work', 'x'),
      odd('/work', '1.5'),
      odd('/work', '0', 'x'),
    ])
      assert.equal(parseListing(Buffer.from(other)), undefined, other);
  });
});

describe('the list of repositories from a sandbox', () => {
  const listed = (code: number, content: Buffer) =>
    Buffer.concat([Buffer.from(`${code}\0${content.length}\0`), content]);
  const shop = answer({});

  const allOf = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('0\0')]);

  it('has each, and the folder of one that git couldn’t list', () => {
    const failed = listed(128, Buffer.from('/work/x\0bad config\n'));
    const found = parseListings(allOf(listed(0, shop), failed, listed(0, shop)));
    assert.deepEqual(
      [found?.listed.map(({ repository }) => repository.name), found?.failed, found?.why, found?.isCut],
      [['shop', 'shop'], ['/work/x'], 'bad config\n', false],
    );
    assert.deepEqual(parseListings(allOf()), { listed: [], failed: [], why: '', isCut: false });
    assert.equal(parseListings(Buffer.from('1\0'))?.isCut, true);
  });

  it('is nothing where a part is missing', () => {
    const whole = allOf(listed(0, shop));
    for (const other of [
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.from('0'),
      Buffer.from('2\0'),
      allOf(Buffer.from('0\0')),
      allOf(Buffer.from('0\0x\0')),
      allOf(listed(0, Buffer.from('x'))),
      whole.subarray(0, -1),
      whole.subarray(0, -2),
      allOf(listed(1, Buffer.from('x')).subarray(0, -1)),
      Buffer.concat([whole, Buffer.from('0')]),
      allOf(Buffer.from('x1\x001\0')),
    ])
      assert.equal(parseListings(other), undefined);
  });
});
