import * as z from 'zod/mini';
import type { Store } from '../basics/readable';
import { blobHash } from './blobHash';
import type { ChangedFile, ChangeSet } from './changeSet';

/** Conversations that are remembered, the latest ones, and files of each. */
const most = { conversations: 100, files: 2_000 };

const schema = z.array(z.object({ key: z.string(), files: z.array(z.string()) }));

/** Remembers which changes of a conversation were shown, to tell what is new since then. Keeps hashes only. */
export class SeenChanges {
  constructor(private readonly store: Store) {}

  /** The files that are new or different since `remember`; undefined if nothing was shown before. */
  since(conversation: string, { repository, files }: ChangeSet): ChangedFile[] | undefined {
    const known = this.all().find(({ key }) => key === keyOf(conversation, repository.root));
    if (!known) return undefined;
    const marks = new Set(known.files);
    return files.filter((file) => !marks.has(markOf(file)));
  }

  remember(conversation: string, { repository, files }: ChangeSet): void {
    const key = keyOf(conversation, repository.root);
    const seen = { key, files: files.slice(0, most.files).map(markOf) };
    const others = this.all().filter((one) => one.key !== key);
    this.store.write([seen, ...others].slice(0, most.conversations));
  }

  private all(): z.infer<typeof schema> {
    return schema.safeParse(this.store.read()).data ?? [];
  }
}

const shortHash = (text: string) => blobHash(Buffer.from(text)).slice(0, 16);

const keyOf = (conversation: string, root: string) => shortHash(`${conversation}\0${root}`);

/** A file and its current version; for a large file, its size. */
const markOf = ({ path, after }: ChangedFile) =>
  shortHash([path, after?.mode, after?.oid, after?.size].join('\0'));
