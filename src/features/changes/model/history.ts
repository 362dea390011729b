import { pathProblem } from './paths';

/** Modes that files on a branch may have here; the first one stands for no file. */
const plainModes = new Set(['000000', '100644', '100755']);

/**
 * Whether commits change only files that may be applied here, too: no links, no submodules, no names that lead elsewhere.
 * @param raw what `git diff-tree --raw -z` says about them
 */
export function isPlainHistory(raw: Uint8Array, windows: boolean): boolean {
  // Bytes that aren’t UTF-8 are replaced, and no such name is readable.
  const fields = Buffer.from(raw).toString('utf8').split('\0').slice(0, -1);
  return fields.every((field, at) => {
    if (at % 2 === 1) return !field.includes('\ufffd') && pathProblem(field, windows) === undefined;
    const [, mode = ''] = /^:[0-7]{6} ([0-7]{6}) /.exec(field) ?? [];
    return plainModes.has(mode);
  });
}
