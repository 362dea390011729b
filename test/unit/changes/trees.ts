import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { linesOf, withHunks } from '../../../src/core/text/lines';
import { operationsOf, type OpenText } from '../../../src/features/changes/model/operations';
import type { PlannedChange, Local } from '../../../src/features/changes/model/plan';

/** What a file can be, on any side. */
interface TestFile {
  content: Buffer;
  executable: boolean;
}
export type Tree = Readonly<Record<string, TestFile>>;

const lineEnd = fc.constantFrom('\n', '\r\n');
const text = fc
  .tuple(
    fc.array(fc.constantFrom('alpha', 'beta', '', '}', 'ünï', '日本'), { maxLength: 12 }),
    lineEnd,
    fc.boolean(),
  )
  .map(([lines, end, ended]) => Buffer.from(lines.join(end) + (ended ? end : '')));
const content = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 1, arbitrary: text.map((words) => Buffer.concat([Buffer.from('\uFEFF'), words])) },
  { weight: 1, arbitrary: fc.tuple(text, text).map((two) => Buffer.from(two.join('\r'))) },
  { weight: 1, arbitrary: text.map((words) => Buffer.from(words.toString(), 'latin1')) },
  { weight: 1, arbitrary: text.map((words) => Buffer.from(words.toString(), 'utf16le')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some)) },
);
const file: fc.Arbitrary<TestFile> = fc.record({ content, executable: fc.boolean() });
const name = fc.constantFrom(
  ...[
    'a.txt',
    'b b.ts',
    'deep/er/c.js',
    'deep/d',
    'ü/é.md',
    '日本.txt',
    '-rf',
    '#hash',
    'quote".c',
    '$HOME',
    '.hidden',
    "it's",
  ],
);
/** Files by their paths. */
export const tree: fc.Arbitrary<Tree> = fc.dictionary(name, file, { maxKeys: 7, noNullPrototype: true });

/** What one side makes of a tree: for each name, whether it stays, changes, goes, or moves. */
export const edits = fc.dictionary(
  name,
  fc.oneof(
    fc.record({ kind: fc.constant('write' as const), file }),
    fc.record({ kind: fc.constant('append' as const), words: text }),
    fc.record({ kind: fc.constant('prepend' as const), words: text }),
    fc.constant({ kind: 'mode' as const }),
    fc.constant({ kind: 'delete' as const }),
    fc.record({
      kind: fc.constant('move' as const),
      to: fc.constantFrom('moved.txt', 'moved/too.txt', 'a.txt'),
    }),
  ),
  { maxKeys: 5, noNullPrototype: true },
);

type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

/** What edits make of a tree. */
export function edited(before: Tree, changes: Edits): Tree {
  const after: Record<string, TestFile> = { ...before };
  for (const [at, change] of Object.entries(changes)) {
    const old = after[at];
    if (change.kind === 'write') after[at] = change.file;
    else if (!old) continue;
    else if (change.kind === 'append')
      after[at] = { ...old, content: Buffer.concat([old.content, change.words]) };
    else if (change.kind === 'prepend')
      after[at] = { ...old, content: Buffer.concat([change.words, old.content]) };
    else if (change.kind === 'mode') after[at] = { ...old, executable: !old.executable };
    else {
      Reflect.deleteProperty(after, at);
      if (change.kind === 'move') after[change.to] ??= old;
    }
  }
  return after;
}

/** Makes a folder what a tree says. */
export function write(folder: string, files: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [at, { content: bytes, executable }] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true });
    writeFileSync(path.join(folder, at), bytes);
    chmodSync(path.join(folder, at), executable ? 0o755 : 0o644);
  }
}

/** The editor opens what is UTF-8, and makes all line ends one. */
function opened(bytes: Buffer): OpenText | undefined {
  if (bytes.includes(0)) return undefined;
  const bom = bytes.subarray(0, 3).toString('latin1') === 'ï»¿';
  const lineEnds = bytes.toString().includes('\r\n') ? '\r\n' : '\n';
  return {
    text: new TextDecoder().decode(bytes).replaceAll(/\r\n|\r|\n/g, lineEnds),
    lineEnd: lineEnds,
    decode: (some) => Promise.resolve(new TextDecoder().decode(some)),
    encode: (words) => Promise.resolve(Buffer.from((bom ? '\uFEFF' : '') + words)),
  };
}

/** What is at a path of a folder. */
export function read(folder: string, at: string): Local {
  const full = path.join(folder, at);
  // A file in place of a folder is an error of its own.
  const isBelowFile = at.split('/').some((_, depth, names) => {
    const parent = path.join(folder, ...names.slice(0, depth));
    return existsSync(parent) && !lstatSync(parent).isDirectory();
  });
  if (isBelowFile) return { blocked: 'folderHere' };
  const stats = lstatSync(full, { throwIfNoEntry: false });
  if (!stats) return null;
  if (!stats.isFile()) return { blocked: 'folderHere' };
  return { content: readFileSync(full), executable: (stats.mode & 0o100) !== 0 };
}

/** Does what the editor does for a change; resolves to the kinds of its operations. */
export async function apply(folder: string, change: PlannedChange): Promise<string[]> {
  const { from, path: to, executable } = change;
  const old = from === null ? null : read(folder, from);
  const mode = executable ?? (old && 'content' in old ? old.executable : false);
  const operations = await operationsOf(
    change,
    change.before ? opened(Buffer.from(change.before)) : undefined,
  );
  for (const operation of operations) {
    const full = path.join(folder, operation.path);
    mkdirSync(path.dirname(full), { recursive: true });
    if (operation.kind === 'delete') rmSync(full);
    else if (operation.kind === 'rename') renameSync(path.join(folder, operation.from), full);
    else if (operation.kind === 'create') writeFileSync(full, operation.content, { flag: 'wx' });
    else {
      const open = opened(readFileSync(full));
      assert.ok(open);
      assert.deepEqual(operation.lines, linesOf(open.text));
      writeFileSync(full, await open.encode(withHunks(operation.lines, operation.hunks)));
    }
  }
  if (change.after) chmodSync(path.join(folder, to), mode ? 0o755 : 0o644);
  return operations.map(({ kind }) => kind);
}
