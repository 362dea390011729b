import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../api/events/event';
import { Refusal } from '../basics/refusal';
import { groupBy } from '../basics/groupBy';
import { purposeOf } from '../transcript/actions';
import { blobHash } from './blobHash';
import type { ChangedFile, ChangeSet, ChangeSource, FileVersion } from './changeSet';

/** An edit that an event reports. A side is null for a file that isn’t there, and undefined if it isn't held. */
interface Edit {
  /** Absolute. */
  path: string;
  before: string | null | undefined;
  after: string | undefined;
  /** The sides in which secrets are masked. */
  masked: readonly ('before' | 'after')[];
}

/**
 * The changes that an agent made with its editor, put together from the events of its conversation: for each file, how it
 * was before the first edit and after the last one. What commands wrote is missing.
 */
export class EventChanges implements ChangeSource {
  private readonly contents = new Map<string, Uint8Array>();
  private readonly changes: ChangeSet;

  /** @param repository `owner/name`, if the conversation is about one */
  constructor(edits: readonly Edit[], repository: string | null) {
    const root = rootOf(edits, repository);
    const name = repository?.split('/').at(-1) ?? root.slice(root.lastIndexOf('/') + 1);
    this.changes = {
      repository: { root, name, remote: null, base: null, head: null },
      files: this.filesOf(edits, root),
      complete: false,
    };
  }

  list(): Promise<ChangeSet> {
    return Promise.resolve(this.changes);
  }

  content({ oid }: FileVersion): Promise<Uint8Array> {
    const content = this.contents.get(oid);
    if (content) return Promise.resolve(content);
    return Promise.reject(new Refusal(l10n.t('The file’s contents are no longer available.')));
  }

  private filesOf(edits: readonly Edit[], root: string): ChangedFile[] {
    const byPath = groupBy(edits, ({ path }) => path);
    return [...byPath]
      .flatMap(([path, [first, ...rest]]): ChangedFile[] => {
        const within = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
        if (!first || within === undefined) return [];
        const last = rest.at(-1) ?? first;
        const before =
          first.before === null ? null : this.version(first.before, first.masked.includes('before'));
        const after = this.version(last.after, last.masked.includes('after'));
        if (before && before.oid !== '' && before.oid === after.oid) return [];
        return [{ path: within, kind: before ? 'modified' : 'added', before, after }];
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Events don’t have modes. */
  private version(text: string | undefined, isMasked: boolean): FileVersion {
    if (text === undefined) return { oid: '', mode: '100644', size: null };
    const content = new TextEncoder().encode(text);
    const oid = blobHash(content);
    this.contents.set(oid, content);
    const masked = isMasked && { masked: true as const };
    return { oid, mode: '100644', size: content.byteLength, ...masked };
  }
}

/**
 * The edits that events report, in their order.
 * @param entryId only those of this step
 */
export function editsOf(events: readonly AgentEvent[], entryId?: string): Edit[] {
  const actions = new Map(
    events.flatMap((event) => (event.kind === 'action' ? [[event.id, event.action]] : [])),
  );
  return events.flatMap((event): Edit[] => {
    if (event.kind !== 'observation' || (entryId !== undefined && event.actionId !== entryId)) return [];
    const { path, before, after, isError, masked = [] } = event.result;
    if (path === null || isError) return [];
    if (after !== null) return [{ path, before, after, masked }];
    // Large files aren’t held, and viewing a file has no contents either.
    const action = actions.get(event.actionId);
    const isEdit = action && purposeOf(action).to === 'edit';
    return isEdit ? [{ path, before: undefined, after: undefined, masked: [] }] : [];
  });
}

/** Where agents usually work: repositories are cloned into it, and may have the same name as one of its parts. */
const usualFolder = '/workspace/project';

/** The folder of the repository: the one with its name, else the one that all files are in. */
function rootOf(edits: readonly Edit[], repository: string | null): string {
  const paths = edits.map(({ path }) => path);
  const name = repository?.split('/').at(-1);
  for (const path of name === undefined ? [] : paths) {
    const at = path.indexOf(`/${name}/`, path.startsWith(`${usualFolder}/`) ? usualFolder.length : 0);
    if (at >= 0) return `${path.slice(0, at)}/${name}`;
  }
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first = []] = folders;
  const end = first.findIndex((part, index) => folders.some((folder) => folder[index] !== part));
  return (end < 0 ? first : first.slice(0, end)).join('/');
}
