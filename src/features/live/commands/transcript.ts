import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { Handler } from '../../../editor/handler';
import { Refusal } from '../../../core/basics/refusal';
import { conversationName } from '../../../core/lists/names';
import { askPick } from '../../../editor/inputs';
import { quotedNames } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { selectedRows, tellFailed } from '../../targets/editor';
import { cannotReach } from '../../transcript';
import type { ConversationModel } from '../model/model';
import type { TranscriptFormat } from '../model/models';
import { chooseLive, knownAt, type Live, type LiveNeeds, titleOf, whyNoModel } from './choose';
import { workOn } from './work';

/** Open Transcript as Text: a read-only Markdown document. */
export function openAsText(
  needs: LiveNeeds & { showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void> },
): Handler {
  return async (argument) => {
    const live = await chooseLive(needs, argument, { title: l10n.t('Open Transcript as Text') });
    const text = live && (await transcriptOrTell(needs, live, 'markdown'));
    if (live && text !== undefined) await needs.showDocument(titleOf(live.model), text, 'md');
  };
}

interface Format extends vscode.QuickPickItem {
  format: TranscriptFormat;
  ending: string;
}

/** Export Transcript…: to a file that the user names. */
export function exportTranscript(needs: LiveNeeds): Handler {
  return async (argument, selection) => {
    const title = l10n.t('Export Transcript');
    const several = selectedRows(argument, selection);
    if (several.length > 1) return exportSeveral(needs, several);
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const picked = await askFormat(title);
    if (!picked) return;
    const text = await transcriptOrTell(needs, live, picked.format);
    if (text === undefined) return;
    const name = fileName(live.model);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title,
      filters: { [picked.label]: [picked.ending] },
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${picked.ending}`) }),
    });
    if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  };
}

async function askFormat(title: string): Promise<Format | undefined> {
  const picked = await askPick<Format>({
    title,
    placeholder: l10n.t('Select a format'),
    items: [
      { format: 'markdown', ending: 'md', label: l10n.t('Markdown'), description: l10n.t('to read') },
      { format: 'json', ending: 'json', label: 'JSON', description: l10n.t('for programs') },
    ],
  });
  return typeof picked === 'object' ? picked : undefined;
}

/** A name that every file system takes: neither hidden, nor one of those that Windows keeps for devices. */
const fileName = (model: ConversationModel) =>
  titleOf(model)
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-')
    .replace(/^\.+/, '-')
    .replace(/^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i, '_');

/**
 * Exports to a file each, in a folder that the user selects; never replaces an existing file. One that fails keeps no
 * other one from being exported.
 */
async function exportSeveral(needs: LiveNeeds, rows: readonly ConversationAt[]): Promise<void> {
  const title = l10n.t('Export {0} Transcripts', rows.length);
  const picked = await askFormat(title);
  if (!picked) return;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title,
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: l10n.t('Export'),
    })) ?? [];
  if (!folder) return;
  const there = await vscode.workspace.fs.readDirectory(folder);
  // Some file systems treat names as the same if they differ only in case.
  const taken = new Set(there.map(([name]) => name.toLowerCase()));
  let count = 0;
  const failed: string[] = [];
  let failure: unknown;
  for (const { id, service = needs.conversations.service } of rows) {
    const model = needs.conversations.model(id, service);
    try {
      if (!model) throw new Refusal(whyNoModel(needs, service));
      const text = await transcriptOf(needs, { model, service }, picked.format);
      // Only the user ends it for all: the others may be on another connection.
      if (text === undefined && !model.signal.aborted) break;
      if (text === undefined) throw new Refusal(cannotReach.none());
      const name = freeName(fileName(model), picked.ending, taken);
      taken.add(name.toLowerCase());
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), new TextEncoder().encode(text));
      count += 1;
    } catch (error) {
      failure ??= error;
      const known = knownAt(needs, { id, service });
      failed.push(known ? plainText(conversationName(known), 80) : model ? titleOf(model) : id);
    }
  }
  // It lasts until the user closes it.
  if (failed.length > 0) void tellFailed(l10n.t('Couldn’t export {0}.', quotedNames(failed)), failure, true);
  if (count > 0) await tellExported(count, rows.length, folder);
}

/** Says where the transcripts are, and how many. */
async function tellExported(count: number, wanted: number, folder: vscode.Uri): Promise<void> {
  const place = plainText(folder.scheme === 'file' ? folder.fsPath : folder.toString(true), 300);
  const show = l10n.t('Show Folder');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('Exported {0} of {1} transcripts to {2}.', count, wanted, place),
    ...(folder.scheme === 'file' ? [show] : []),
  );
  if (picked === show) await vscode.commands.executeCommand('revealFileInOS', folder);
}

/** A name that isn’t taken: “Fix it.md”, “Fix it 2.md”. */
function freeName(name: string, ending: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const free = `${name}${count === 1 ? '' : ` ${count}`}.${ending}`;
    if (!taken.has(free.toLowerCase())) return free;
  }
}

/** Undefined if the user canceled, or the connection ended. */
const transcriptOf = (
  { conversations }: Pick<LiveNeeds, 'conversations'>,
  { model, service }: Pick<Live, 'model' | 'service'>,
  format: TranscriptFormat,
): Promise<string | undefined> =>
  workOn(model, l10n.t('Reading the transcript…'), (signal) =>
    conversations.transcript({ id: model.id, service }, format, signal),
  );

async function transcriptOrTell(
  needs: Pick<LiveNeeds, 'conversations'>,
  live: Pick<Live, 'model' | 'service'>,
  format: TranscriptFormat,
): Promise<string | undefined> {
  try {
    return await transcriptOf(needs, live, format);
  } catch (error) {
    await tellFailed(l10n.t('Couldn’t read the whole transcript.'), error);
    return undefined;
  }
}
