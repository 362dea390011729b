import { inTurns } from '../../../core/basics/steps';
import type { Hunk } from '../../../core/text/hunk';
import { hunksBetween, linesOf } from '../../../core/text/lines';
import type { PlannedChange } from './plan';
import { sameBytes } from './same';

/** A file as the editor has it open: text with one kind of line end, in some encoding. */
export interface OpenText {
  text: string;
  lineEnd: '\n' | '\r\n';
  decode: (content: Uint8Array) => Promise<string>;
  encode: (text: string) => Promise<Uint8Array>;
}

/** What the editor does for one file; each can be undone. */
export type Operation =
  | { kind: 'delete'; path: string }
  | { kind: 'rename'; from: string; path: string }
  | { kind: 'create'; path: string; content: Uint8Array }
  /** Replaces lines of a file that will be at `path` by then. */
  | { kind: 'edit'; path: string; lines: string[]; hunks: Hunk[] };

/**
 * The editor’s operations for a change: edits of text if they give exactly the right bytes, so that parts can be left
 * out and the file stays open; otherwise, deleting and creating the file.
 *
 * @param open the file as the editor has it; undefined if it isn’t text to the editor
 */
export async function operationsOf(change: PlannedChange, open: OpenText | undefined): Promise<Operation[]> {
  const { path, from, before, after } = change;
  if (!after) return from === null ? [] : [{ kind: 'delete', path: from }];
  if (from === null || !before) return [{ kind: 'create', path, content: after }];
  const rename: Operation[] = from === path ? [] : [{ kind: 'rename', from, path }];
  if (sameBytes(before, after)) return rename;
  const now = open && (await carried(open, before, after));
  if (!open || now === undefined)
    return [
      { kind: 'delete', path: from },
      { kind: 'create', path, content: after },
    ];
  const lines = linesOf(open.text);
  const hunks = await inTurns(hunksBetween(lines, linesOf(now)));
  return [...rename, { kind: 'edit', path, lines, hunks }];
}

/** The new text of a document; undefined unless the document has the old bytes and is saved as exactly the new ones. */
async function carried(open: OpenText, before: Uint8Array, after: Uint8Array): Promise<string | undefined> {
  const { text, decode, encode } = open;
  const now = await decode(after);
  if (!hasOnly(open.lineEnd, text) || !hasOnly(open.lineEnd, now)) return undefined;
  const isExact = sameBytes(await encode(text), before) && sameBytes(await encode(now), after);
  return isExact ? now : undefined;
}

/** Whether a text has only one kind of line end; the editor would replace any other. */
function hasOnly(lineEnd: OpenText['lineEnd'], text: string): boolean {
  return lineEnd === '\n' ? !text.includes('\r') : !/\r(?!\n)|(?<!\r)\n/.test(text);
}
