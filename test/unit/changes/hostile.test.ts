import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blobHash } from '../../../src/features/sandboxChanges/model/blobHash';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { planChanges } from '../../../src/features/changes/model/planning';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { apply, read } from './trees';
import { TestSandbox } from './support';

/** What a sandbox that isn’t to be trusted says it has. */
interface Forged {
  name: string | Buffer;
  content?: Buffer;
  mode?: string;
  /** Of the content, as it is told. */
  size?: number;
  /** Says that the file was there and is deleted. */
  isDeleted?: boolean;
}

const zeros = '0'.repeat(40);

function listingOf(files: readonly Forged[]): Buffer {
  const known = files.map((file) => ({ mode: '100644', content: Buffer.from('x'), ...file }));
  const sizes = known
    .map(({ content, size = content.byteLength }) => `${blobHash(content)} ${size}\n`)
    .join('');
  const raw = known.map(({ name, content, mode, isDeleted }) => {
    const modes = isDeleted ? [mode, '000000'] : ['000000', mode];
    const oids = isDeleted ? [blobHash(content), zeros] : [zeros, blobHash(content)];
    const status = isDeleted ? 'D' : 'A';
    return Buffer.concat([
      Buffer.from(`:${modes.join(' ')} ${oids.join(' ')} ${status}\0`),
      Buffer.from(name),
      Buffer.alloc(1),
    ]);
  });
  const fields = [
    '/workspace/project/shop',
    '',
    zeros,
    'remote',
    zeros,
    `${sizes.length}`,
    '0',
    '0',
    '0',
    '0',
  ];
  return Buffer.concat([Buffer.from(`${fields.join('\0')}\0${sizes}`), ...raw]);
}

describe('files of a hostile sandbox', () => {
  let folder: TestSandbox;
  let asked: number;
  beforeEach(() => {
    folder = new TestSandbox();
    folder.create('shop', { 'here.txt': 'mine' });
    folder.write('beside.txt', 'untouched');
    asked = 0;
  });
  afterEach(() => folder.dispose());

  /** Plans and applies what the sandbox says; resolves to why files weren’t, after checking that nothing else changed. */
  async function take(files: readonly Forged[], windows = false): Promise<Record<string, string>> {
    const contents = files.map(({ content = Buffer.from('x') }) =>
      Buffer.concat([
        Buffer.from(`${blobHash(content)} blob ${content.byteLength}\n`),
        content,
        Buffer.from('\n'),
      ]),
    );
    const answers = [listingOf(files), Buffer.concat(contents)];
    const execute = () => {
      const answer = answers[Math.min(asked, 1)] ?? Buffer.alloc(0);
      asked += 1;
      return Promise.resolve({ exitCode: 0, stdout: `=${answer.toString('base64')}=`, stderr: '' });
    };
    const workspace = { ...folder.workspace, execute };
    const source = new SandboxChanges(
      workspace,
      { root: '/shop', folder: '/', branch: null, at: null },
      new ContentCache(),
    );
    const target = { read: (at: string) => Promise.resolve(read(folder.at('shop'), at)), windows };
    const changes = await source.list();
    const plan = await planChanges(changes, source.content.bind(source), target, () => undefined);
    const outside = () => [...folder.snapshot('')].filter(([at]) => !/^shop\/(?!\.git\/)/.test(at));
    const before = outside();
    for (const change of plan.changes) await apply(folder.at('shop'), change);
    assert.deepEqual(outside(), before);
    return Object.fromEntries(plan.refused.map(({ path, why }) => [path, why]));
  }

  const rows: Record<string, [names: string[], why: string, windows?: boolean]> = {
    'that lead out of the folder': [
      ['../beside.txt', 'a/../../beside.txt', '..', './x', '.. /x', '..\\beside.txt'],
      'outside',
    ],
    'that are absolute': [['/etc/passwd', 'C:/x', 'c:x', '\\\\server\\share', '\\x'], 'outside'],
    'in Git’s own folder': [['.git', '.git/config', '.git/hooks/pre-commit', 'sub/.git/config'], 'git'],
    'in Git’s own folder by case': [['.GIT/config', '.Git', '.gIT/hooks/x'], 'git'],
    'in Git’s own folder on NTFS': [
      ['.git /config', '.git./config', '.git. . /x', 'git~1/config', '.git::$INDEX_ALLOCATION', 'a\\.git\\x'],
      'git',
    ],
    'in Git’s own folder on HFS': [['.gi\u200ct/config', '.g\u206fit', '\ufeff.git', '.git\u200f/x'], 'git'],
    'of devices': [['CON', 'nul.txt', 'sub/aux.c', 'COM1', 'lpt9.log', 'CONIN$'], 'windows', true],
    'with controls': [['line\nbreak', 'bell\u0007', 'del\u007f'], 'name'],
  };
  for (const [what, [names, why, windows]] of Object.entries(rows)) {
    it(`aren’t written under names ${what}, nor deleted`, async () => {
      const wanted = Object.fromEntries(names.map((name) => [name, why]));
      assert.deepEqual(
        await take(
          names.map((name) => ({ name })),
          windows,
        ),
        wanted,
      );
      asked = 0;
      assert.deepEqual(
        await take(
          names.map((name) => ({ name, isDeleted: true })),
          windows,
        ),
        wanted,
      );
    });
  }

  it('have no name with NUL, which ends names', async () => {
    assert.deepEqual(await take([{ name: 'new.txt\0../beside.txt' }, { name: 'here.txt' }]), {});
    assert.deepEqual(read(folder.at('shop'), 'here.txt'), {
      content: Buffer.from('mine'),
      executable: false,
    });
  });

  it('aren’t written under names that aren’t UTF-8, or that are the same but for case', async () => {
    const files = [{ name: Buffer.from([0x61, 0xff]) }, { name: 'Read.me' }, { name: 'read.ME' }];
    assert.deepEqual(await take(files), {
      'a\\377': 'unreadableName',
      'Read.me': 'collision',
      'read.ME': 'collision',
    });
  });

  it('aren’t written as links or submodules', async () => {
    const target = Buffer.from('../beside.txt');
    const files = [
      { name: 'link', mode: '120000', content: target },
      { name: 'module', mode: '160000' },
    ];
    assert.deepEqual(await take(files), { link: 'link', module: 'submodule' });
  });

  it('are named, and not fetched, at 100 MB', async () => {
    assert.deepEqual(await take([{ name: 'large', size: 100 * 1024 * 1024 }]), { large: 'tooLarge' });
    assert.equal(asked, 1);
  });

  it('are named if they aren’t what they were listed as', async () => {
    const forged = { name: 'a.txt', content: Buffer.from('x') };
    const listing = listingOf([forged]);
    const other = Buffer.from(`${blobHash(forged.content)} blob 1\ny\n`);
    const answers = [listing, other];
    const workspace = {
      ...folder.workspace,
      execute: () =>
        Promise.resolve({
          exitCode: 0,
          stdout: `=${answers.shift()?.toString('base64') ?? ''}=`,
          stderr: '',
        }),
    };
    const source = new SandboxChanges(
      workspace,
      { root: '/shop', folder: '/', branch: null, at: null },
      new ContentCache(),
    );
    const target = { read: () => Promise.resolve(null), windows: false };
    const plan = await planChanges(await source.list(), source.content.bind(source), target, () => undefined);
    assert.deepEqual(
      plan.refused.map(({ why }) => why),
      ['unread'],
    );
  });

  it('arrive byte for byte with binary content and carriage returns', async () => {
    const all = Buffer.from(Uint8Array.from({ length: 512 }, (_, index) => index % 256));
    const files = {
      'all.bin': all,
      'crlf.txt': Buffer.from('1\r\n2\r3\n'),
      'bare.txt': Buffer.from('\r\n\r'),
    };
    assert.deepEqual(await take(Object.entries(files).map(([name, content]) => ({ name, content }))), {});
    for (const [name, content] of Object.entries(files)) {
      const now = read(folder.at('shop'), name);
      assert.deepEqual(now && 'content' in now && now.content, content, name);
    }
  });

  it('never reach beyond the folder, whatever their names are made of, in 200 of them', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      '.git',
      '.GIT ',
      'git~1',
      'a',
      'here.txt',
      'C:',
      '\\',
      '~',
      'nul',
    );
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const names = fc.uniqueArray(name, { minLength: 5, maxLength: 5 }).filter((some) => some.every(Boolean));
    await fc.assert(
      fc.asyncProperty(names, async (some) => {
        asked = 0;
        await take(some.map((one) => ({ name: one })));
      }),
      { numRuns: 40 },
    );
  });
});
