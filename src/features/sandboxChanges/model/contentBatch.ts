import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { unlessAborted } from '../../../api/http/signals';
import { askSandbox } from './sandboxAnswer';
import { contentScript } from './sandboxScripts';

/** Most of one request: contents, their bytes, and the bytes of their names. */
const most = { count: 200, bytes: 16 * 1024 * 1024, names: 32 * 1024 };

interface Wanted {
  oid: string;
  name: Uint8Array;
  size: number;
  settle: (content: Promise<Uint8Array | undefined>) => void;
}

/**
 * Fetches contents from a repository in a sandbox. Contents that are asked for while a request is under way share the
 * next one: sandboxes answer few requests a second.
 */
export class ContentBatch {
  private waiting: Wanted[] = [];
  private isBusy = false;

  constructor(
    private readonly workspace: SandboxWorkspace,
    private readonly place: { root: string; folder: string },
  ) {}

  /**
   * The content with this hash; undefined if git no longer has it. Throws ApiError and Refusal.
   * @param name a file in the work tree that may have it
   */
  async fetch(
    oid: string,
    name: Uint8Array | undefined,
    size: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    const content = new Promise<Uint8Array | undefined>((settle) => {
      this.waiting.push({ oid, name: name ?? new Uint8Array(), size, settle });
    });
    if (!this.isBusy) void this.work();
    return signal ? unlessAborted(content, signal) : content;
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    // Include what is asked for at the same moment.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const now = this.next();
      const answers = this.ask(now);
      for (const { oid, settle } of now) settle(answers.then((contents) => contents.get(oid)));
      await answers.catch(() => undefined);
    }
    this.isBusy = false;
  }

  /** Takes as many as fit into a request, at least one. */
  private next(): Wanted[] {
    let [bytes, names] = [0, 0];
    const end = this.waiting.findIndex(({ size, name }, index) => {
      bytes += size;
      names += name.byteLength;
      return index > 0 && (index >= most.count || bytes > most.bytes || names > most.names);
    });
    return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
  }

  private async ask(wanted: readonly Wanted[]): Promise<Map<string, Uint8Array>> {
    const named = wanted.filter(({ name }) => name.byteLength > 0);
    const files = Buffer.concat(named.flatMap(({ name }) => [name, Buffer.alloc(1)]));
    const oids = [...new Set(wanted.map(({ oid }) => oid))];
    const maxBytes = wanted.reduce((sum, { size }) => sum + size + 200, 0);
    const { root, folder } = this.place;
    const limits = { folder, maxBytes };
    return parseBatch(await askSandbox(this.workspace, contentScript(root, oids, files), limits));
  }
}

/** The contents in the output of `git cat-file --batch`, by their hashes. */
function parseBatch(answer: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(answer);
  const contents = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    if (end < 0) break;
    const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(bytes.toString('utf8', at, end)) ?? [];
    at = end + 1;
    if (oid === undefined) continue;
    contents.set(oid, new Uint8Array(bytes.subarray(at, at + Number(size))));
    at += Number(size) + 1;
  }
  return contents;
}
