import { posix } from 'node:path';
import type { SandboxPlace } from '../../sandboxChanges';
import { FileRefusal } from './fileRefusal';
import { runFileScript } from './fileRun';
import { insideScript, largestTree, listScript, partScript } from './fileScripts';
import { type FolderFacts, isOurs, parseFolderListing } from './listing';
import { type FoundLine, foundLines, foundNames, linesScript, namesScript } from './searchScripts';

/** A file from one of its lines on. */
interface FilePart {
  /** Size of the whole file in bytes. */
  size: number;
  bytes: Uint8Array;
  isCut: boolean;
}

/** Longest answer in bytes. */
const largestAnswer = 8_000_000;

/**
 * The files in and below the folder that an agent works in, for someone who must not see any others: links out of it are
 * refused, and what terminals and tools of ours keep there isn’t there. A path is absolute, or relative to that folder.
 * One request each. Methods throw FileRefusal, a Refusal, and ApiError.
 */
export class InsideFiles {
  constructor(private readonly place: SandboxPlace) {}

  /** @param line the number of the first line, from 1 on */
  async read(path: string, line: number, mostBytes: number, signal: AbortSignal): Promise<FilePart> {
    const answer = await this.run(path, partScript(line, mostBytes), signal);
    const size = Buffer.from(answer).indexOf('\n');
    const bytes = answer.subarray(size + 1);
    return {
      size: Number(Buffer.from(answer.subarray(0, size)).toString()),
      bytes,
      isCut: bytes.length === mostBytes,
    };
  }

  async list(path: string, signal: AbortSignal): Promise<FolderFacts> {
    const answer = await this.run(path, listScript(this.within(path), false), signal);
    return parseFolderListing(answer, false).get('') ?? new Map();
  }

  async findLines(path: string, text: string, mask: (line: string) => string, signal: AbortSignal) {
    const found = foundLines(await this.run(path, linesScript(this.within(path), text), signal), mask);
    return found.map((one): FoundLine => ({ ...one, path: posix.join(this.relative(path), one.path) }));
  }

  async findNames(path: string, text: string, signal: AbortSignal): Promise<string[]> {
    const found = foundNames(await this.run(path, namesScript(this.within(path)), signal), text);
    return found.map((one) => posix.join(this.relative(path), one));
  }

  private relative(path: string): string {
    return posix.relative(this.place.workingDir, this.within(path));
  }

  private within(path: string): string {
    const { workingDir: root } = this.place;
    const whole = posix.resolve(root, path);
    const isInside = whole === root || whole.startsWith(root === '/' ? root : `${root}/`);
    if (!isInside || path.includes('\0')) throw new FileRefusal('outside');
    if (posix.relative(root, whole).split('/').some(isOurs)) throw new FileRefusal('missing');
    return whole;
  }

  private run(path: string, script: string, signal: AbortSignal): Promise<Uint8Array> {
    const guarded = `${insideScript(this.place.workingDir, this.within(path))}\n${script}`;
    return runFileScript(this.place, guarded, Math.max(largestAnswer, largestTree), signal);
  }
}
