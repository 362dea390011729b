import type { DiffLine } from '../../../shared/transcript';

/** What a patch does to one file. */
export interface PatchedFile {
  path: string;
  change: 'create' | 'edit' | 'delete';
  /** The file’s path afterwards, if it is moved. */
  movedTo?: string;
  /** Every line of it; gaps stand for lines between its parts, with what the patch says about them. */
  lines: DiffLine[];
}

const headings = [
  ['*** Add File: ', 'create'],
  ['*** Update File: ', 'edit'],
  ['*** Delete File: ', 'delete'],
] as const;
const moveTo = '*** Move to: ';
const endOfFile = '*** End of File';

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/**
 * Reads a patch (`*** Begin Patch` … `*** End Patch`), as strictly as the tool that applies it: undefined for anything
 * else, so that nothing of it goes unseen.
 */
export function parsePatch(text: string): PatchedFile[] | undefined {
  const lines = text.trim().split('\n');
  if (!lines[0]?.startsWith('*** Begin Patch') || lines.at(-1) !== '*** End Patch') return undefined;
  const files: PatchedFile[] = [];
  for (const line of lines.slice(1, -1)) {
    const heading = headings.find(([mark]) => line.startsWith(mark));
    if (heading) {
      const [mark, change] = heading;
      files.push({ path: line.slice(mark.length), change, lines: [] });
    } else if (!take(line, files.at(-1))) return undefined;
  }
  const isSound = files.length > 0 && files.every(({ path }) => path !== '');
  return isSound && new Set(files.map(({ path }) => path)).size === files.length ? files : undefined;
}

/** The lines of a unified diff of one file; what none should have is a gap. */
export function unifiedLines(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('@@')),
  );
  return lines.slice(first).map((line): DiffLine => {
    const kind = line === '' ? 'same' : kinds[line[0] ?? ''];
    if (kind) return { kind, text: line.slice(1) };
    return { kind: 'gap', text: line.replace(/^@@ .*? @@ ?/, '') };
  });
}

/** Adds a line to what is done to a file; false if it can’t be there. */
function take(line: string, file: PatchedFile | undefined): boolean {
  if (!file || file.change === 'delete') return false;
  const { lines } = file;
  const kind = line === '' ? 'same' : kinds[line[0] ?? ''];
  if (file.change === 'create') {
    if (kind !== 'added') return false;
  } else if (line.startsWith(moveTo)) {
    if (lines.length > 0 || file.movedTo !== undefined || line === moveTo) return false;
    file.movedTo = line.slice(moveTo.length);
    return true;
  } else if (line === '@@' || line.startsWith('@@ ') || line === endOfFile) {
    lines.push({ kind: 'gap', text: line === endOfFile ? endOfFile : line.slice(3) });
    return true;
  }
  if (kind === undefined) return false;
  lines.push({ kind, text: line.slice(1) });
  return true;
}
