import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick } from '../../../platform/inputs';
import type { ConversationModel } from '../../../state/transcript/model';
import type { TranscriptFormat } from '../../../state/transcript/models';
import type { CommandDependencies, Handler } from '../../dependencies';
import { tellFailed } from '../tellFailed';
import { chooseLive, type LiveNeeds, titleOf } from './choose';
import { workOn } from './work';

/** Open Transcript as Text: a read-only Markdown document. */
export function openAsText(needs: LiveNeeds & Pick<CommandDependencies, 'showDocument'>): Handler {
  return async (argument) => {
    const live = await chooseLive(needs, argument, { title: l10n.t('Open Transcript as Text') });
    const text = live && (await transcriptOf(needs, live.model, 'markdown'));
    if (live && text !== undefined) await needs.showDocument(titleOf(live.model), text, 'md');
  };
}

interface Format extends vscode.QuickPickItem {
  format: TranscriptFormat;
  ending: string;
}

/** Export Transcript…: to a file that the user names. */
export function exportTranscript(needs: LiveNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Export Transcript');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const picked = await askPick<Format>({
      title,
      placeholder: l10n.t('Select a format'),
      items: [
        { format: 'markdown', ending: 'md', label: l10n.t('Markdown'), description: l10n.t('to read') },
        { format: 'json', ending: 'json', label: 'JSON', description: l10n.t('for programs') },
      ],
    });
    if (typeof picked !== 'object') return;
    const text = await transcriptOf(needs, live.model, picked.format);
    if (text === undefined) return;
    const name = titleOf(live.model).replace(/[^\p{L}\p{N}._ -]+/gu, '-');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title,
      filters: { [picked.label]: [picked.ending] },
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${picked.ending}`) }),
    });
    if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  };
}

async function transcriptOf(
  { conversations }: Pick<LiveNeeds, 'conversations'>,
  model: ConversationModel,
  format: TranscriptFormat,
): Promise<string | undefined> {
  try {
    return await workOn(model, l10n.t('Reading the transcript…'), (signal) =>
      conversations.transcript(model, format, signal),
    );
  } catch (error) {
    await tellFailed(l10n.t('Couldn’t read the whole transcript.'), error);
    return undefined;
  }
}
