import * as z from 'zod/mini';
import { StoredList, type Store } from '../../../core/basics/storedList';
import { blobHash, type ChangedFile, type ChangeSet } from '../../sandboxChanges';

/** Conversations that are remembered, the latest ones, and files of each. */
const most = { conversations: 100, files: 2_000 };

const schema = z.object({ key: z.string(), files: z.array(z.string()) });
type Seen = z.infer<typeof schema>;

/** Remembers which changes of a conversation were shown, to tell what is new since then. Keeps hashes only. */
export class SeenChanges {
  private readonly stored: StoredList<Seen>;

  constructor(store: Store) {
    this.stored = new StoredList(schema, store, ({ key }) => key);
  }

  /** The files that are new or different since `remember`; undefined if nothing was shown before. */
  since(conversation: string, { repository, files }: ChangeSet): ChangedFile[] | undefined {
    const known = this.stored.all.find(({ key }) => key === keyOf(conversation, repository.root));
    if (!known) return undefined;
    const marks = new Set(known.files);
    return files.filter((file) => !marks.has(markOf(file)));
  }

  remember(conversation: string, { repository, files }: ChangeSet): void {
    const key = keyOf(conversation, repository.root);
    const seen = { key, files: files.slice(0, most.files).map(markOf) };
    const others = this.stored.all.filter((one) => one.key !== key);
    this.stored.write([seen, ...others].slice(0, most.conversations));
  }
}

const shortHash = (text: string) => blobHash(Buffer.from(text)).slice(0, 16);

const keyOf = (conversation: string, root: string) => shortHash(`${conversation}\0${root}`);

/** A file and its current version; for a large file, its size. */
const markOf = ({ path, after }: ChangedFile) =>
  shortHash([path, after?.mode, after?.oid, after?.size].join('\0'));
