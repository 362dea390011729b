import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { type LiveNeeds, titleOf } from '../../live/editor';
import type { SandboxPlace } from '../../sandboxChanges';
import { tellFailed } from '../../targets/editor';
import { runningShells } from '../model/terminal';
import { conversationFor } from './conversationFor';
import { placeOfConversation } from './placeOf';
import type { Terminals } from './terminals';

export interface TerminalNeeds extends LiveNeeds {
  terminals: Terminals;
}

/** Open Terminal: opens a shell in the agent’s folder, in a terminal of the editor. */
export function openTerminal(needs: TerminalNeeds): Handler {
  return async (argument) => {
    const options = await chooseTerminal(needs, argument);
    if (!options) return;
    const terminal = vscode.window.createTerminal(options);
    terminal.show();
    // A picker before it gives the focus back to a page in the active tab, which may take it after the terminal has it.
    await terminal.processId;
    const { activeTerminal, tabGroups } = vscode.window;
    const isPage = tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    if (isPage && activeTerminal === terminal) terminal.show();
  };
}

/** What the editor creates the terminal from; undefined if the user wants none, or was told why there can’t be one. */
export async function chooseTerminal(
  needs: TerminalNeeds,
  argument: unknown,
): Promise<vscode.TerminalOptions | vscode.ExtensionTerminalOptions | undefined> {
  try {
    const live = await conversationFor(needs, argument, l10n.t('Open Terminal'));
    const place = live && (await placeOfConversation(live));
    if (!live || !place) return undefined;
    const name = titleOf(live.model);
    if (place.isHere) return { name, cwd: place.workingDir, iconPath: needs.terminals.icon };
    const shell = await chooseShell(needs, place);
    if (shell === undefined) return undefined;
    const { service = '' } = live;
    return needs.terminals.create({ conversation: live.model.id, service, name }, shell.id);
  } catch (error) {
    await tellFailed(l10n.t('Couldn’t open a terminal.'), error);
    return undefined;
  }
}

/** A shell that isn’t on screen in this window, or a new one, which has no id. */
async function chooseShell(
  { terminals }: TerminalNeeds,
  place: SandboxPlace,
): Promise<{ id?: string } | undefined> {
  const others = (await runningShells(place)).filter(({ id }) => !terminals.shows(id));
  if (others.length === 0) return {};
  const picked = await askPick<vscode.QuickPickItem & { id?: string }>({
    title: l10n.t('Open Terminal'),
    placeholder: l10n.t('Select a shell'),
    items: [
      { label: l10n.t('New Shell'), iconPath: new vscode.ThemeIcon('add') },
      ...others.map(({ id, isBusy }, index) => ({
        id,
        label: l10n.t('Running Shell {0}', index + 1),
        description: plainText(isBusy ? l10n.t('runs a program') : l10n.t('waits for a command'), 80),
        iconPath: terminals.icon,
      })),
    ],
  });
  return typeof picked === 'object' ? picked : undefined;
}
