import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentEvent, FileChange } from '../../../api/events/event';
import { usualFolder } from '../../../shared/agentFolders';
import { Refusal } from '../../../core/basics/refusal';
import { groupBy } from '../../../core/basics/groupBy';
import {
  purposeOf,
  purposeOfCall,
  changedFiles,
  callsIn,
  joinedReports,
  type PlannedEdit,
} from '../../transcript';
import { blobHash } from './blobHash';
import type { ChangedFile, ChangeSet, ChangeSource, FileVersion } from './changeSet';

/** An edit that an event reports. A side is null for a file that isn’t there, and undefined if it isn't held. */
interface Edit {
  /** As the agent spelled it: absolute, or relative to its folder. */
  path: string;
  before: string | null | undefined;
  after: string | null | undefined;
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
  constructor(spelled: readonly Edit[], repository: string | null) {
    // One file can be spelled in several ways.
    const edits = spelled.map((edit) => ({
      ...edit,
      path: posix.normalize(edit.path).replace(/(.)\/$/, '$1'),
    }));
    const root = rootOf(edits, repository);
    const name = repository?.split('/').at(-1) ?? root.slice(root.lastIndexOf('/') + 1);
    this.changes = {
      repository: { root, name, remote: null, base: null, head: null },
      files: this.filesOf(edits, root, prefixOf(edits, name)),
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

  /** @param prefix what relative paths begin with that isn’t within the repository */
  private filesOf(edits: readonly Edit[], root: string, prefix: string): ChangedFile[] {
    const byPath = groupBy(edits, ({ path }) =>
      path.startsWith('/') ? path : posix.normalize(`${root}/${path.slice(prefix.length)}`),
    );
    return [...byPath]
      .flatMap(([path, [first, ...rest]]): ChangedFile[] => {
        if (!first) return [];
        const last = rest.at(-1) ?? first;
        const before =
          first.before === null ? null : this.version(first.before, first.masked.includes('before'));
        const after = last.after === null ? null : this.version(last.after, last.masked.includes('after'));
        if (before?.oid === after?.oid && before?.oid !== '') return [];
        const kind = !after ? 'deleted' : before ? 'modified' : 'added';
        return [{ path: withinRoot(path, root), kind, before, after }];
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
export function eventEdits(events: readonly AgentEvent[], entryId?: string): Edit[] {
  const actions = new Map(
    events.flatMap((event) => (event.kind === 'action' ? [[event.id, event.action]] : [])),
  );
  const calls = new Map(callsIn(events).map((reports) => [reports.at(-1), reports]));
  return events.flatMap((event): Edit[] => {
    if (event.kind === 'toolCall') {
      const reports = calls.get(event);
      if (!reports || event.state !== 'done' || (entryId ?? reports[0].id) !== reports[0].id) return [];
      const call = joinedReports(reports);
      const { result, edit } = call;
      if (result.files) return result.files.flatMap(editsOfFile);
      // Arguments say what a file is called, but not all that is in it.
      const purpose = purposeOfCall(call);
      if (purpose.to === 'edit') return purpose.edits.flatMap(namedIn);
      return edit ? namedIn({ path: edit.path, change: edit.isNew ? 'create' : 'edit' }) : [];
    }
    if (event.kind !== 'observation' || (entryId !== undefined && event.actionId !== entryId)) return [];
    const { result } = event;
    if (result.isError) return [];
    const files = result.files ?? changedFiles(result);
    if (files.length > 0) return files.flatMap(editsOfFile);
    // Large files aren’t held, and viewing a file has no contents either.
    const action = actions.get(event.actionId);
    const { path } = result;
    const isEdit = path !== null && action && purposeOf(action).to === 'edit';
    return isEdit ? [{ path, before: undefined, after: undefined, masked: [] }] : [];
  });
}

/** The places of a file that an agent said it would edit. */
function namedIn({ path, change, movedTo }: Pick<PlannedEdit, 'path' | 'change' | 'movedTo'>): Edit[] {
  const edit = (at: string, isGone: boolean): Edit => ({
    path: at,
    before: change === 'create' ? null : undefined,
    after: isGone ? null : undefined,
    masked: [],
  });
  if (movedTo === undefined) return [edit(path, change === 'delete')];
  return [edit(path, true), { ...edit(movedTo, false), before: null }];
}

/** A file that was moved is gone from one place and there in another. */
function editsOfFile(file: FileChange): Edit[] {
  const { path, movedTo, masked = [] } = file;
  const isHeld = !file.isPart && !file.isGone;
  const before = isHeld || file.before === null ? file.before : undefined;
  const after = isHeld || file.after === null ? file.after : undefined;
  if (movedTo === undefined || movedTo === path) return [{ path, before, after, masked }];
  return [
    { path, before, after: null, masked },
    { path: movedTo, before: null, after, masked },
  ];
}

/** The path below the root; one that is elsewhere stays whole, and can’t be applied. */
const withinRoot = (path: string, root: string) =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** The agent’s folder is the repository’s or the one above it: in that case, all relative paths begin with its name. */
function prefixOf(edits: readonly Edit[], name: string): string {
  const relative = edits.filter(({ path }) => !path.startsWith('/'));
  return relative.every(({ path }) => path.startsWith(`${name}/`)) ? `${name}/` : '';
}

/** The folder of the repository: the one with its name, else the one that all files are in. */
function rootOf(edits: readonly Edit[], repository: string | null): string {
  const paths = edits.map(({ path }) => path).filter((path) => path.startsWith('/'));
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
