import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../../editor/handler';
import { askMany, askPick } from '../../../../editor/inputs';
import { age } from '../../../../shared/age';
import { joined } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import type { FirstMessage, FirstMessages } from '../../model/firstMessages';
import type { Templates } from '../../model/templates';
import { presentDraft, type DraftNeeds } from './draft';
import { templateLines, templateRow } from './templates';

type Needs = DraftNeeds & { firstMessages: FirstMessages; templates: Templates };

interface Row extends vscode.QuickPickItem {
  text?: string;
}

/** Insert Earlier Message or Template…: into the message that is being written. */
export function insertMessage(needs: Needs): Handler {
  return async () => {
    const { firstMessages, templates } = needs;
    const draft = await presentDraft(needs);
    const earlier = firstMessages.all;
    const saved = templates.all;
    if (earlier.length + saved.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t(
          'No earlier messages or templates yet. Messages that you start conversations with appear here.',
        ),
      );
      return;
    }
    const isHere = new Set(draft.repositories.map((name) => name.toLowerCase()));
    const here = earlier.filter(({ repository }) => isHere.has(repository.toLowerCase()));
    const elsewhere = earlier.filter((one) => !here.includes(one));
    const forget: Row = {
      label: l10n.t('Delete Earlier Messages…'),
      iconPath: new vscode.ThemeIcon('trash'),
    };
    const picked = await askPick<Row>({
      title: l10n.t('Insert Earlier Message or Template'),
      placeholder: l10n.t('Select a message, or type part of it'),
      items: [
        ...group(l10n.t('Earlier Messages'), here.map(messageRow)),
        ...group(l10n.t('Templates'), saved.map(templateRow)),
        ...group(l10n.t('Other Repositories'), elsewhere.map(messageRow)),
        ...(earlier.length > 0 ? [...group('', [forget])] : []),
      ],
    });
    if (picked === forget) await deleteMessages(needs, [...here, ...elsewhere]);
    else if (typeof picked === 'object' && picked.text !== undefined) await draft.insert(picked.text);
  };
}

/** Rows below a line with their heading. */
const group = (label: string, rows: readonly Row[]): Row[] =>
  rows.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows] : [];

function messageRow(message: FirstMessage): Row & { message: FirstMessage } {
  const { text, repository, sentAt } = message;
  const [label, detail] = templateLines(text);
  const date = new Date(sentAt);
  const sent = Number.isNaN(date.getTime()) ? undefined : age(date.toISOString(), Date.now());
  return {
    label,
    description: joined(plainText(repository, 80), sent),
    ...(detail && { detail }),
    text,
    message,
  };
}

async function deleteMessages({ firstMessages }: Needs, all: readonly FirstMessage[]): Promise<void> {
  const picked = await askMany({
    title: l10n.t('Delete Earlier Messages'),
    placeholder: l10n.t('Select what to delete from this computer. Conversations stay.'),
    items: all.map(messageRow),
  });
  if (Array.isArray(picked)) firstMessages.delete(picked.map(({ message }) => message));
}
