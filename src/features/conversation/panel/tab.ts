import * as l10n from '@vscode/l10n';
import type { PanelIcon } from '../../../editor/panelIcon';
import { attemptName } from '../../../core/lists/names';
import { plainText } from '../../../shared/plainText';
import { words } from '../../transcript';
import { type Execution, isStart, type Head } from '../../../shared/transcript';

/** Icons of states that need a look; any other state has that of a conversation. */
export const iconOf: Readonly<Partial<Record<Execution, PanelIcon>>> = {
  running: 'working',
  waiting_for_confirmation: 'waiting',
  error: 'failed',
  stuck: 'failed',
};

/**
 * The title of a conversation’s tab.
 *
 * @param title empty until it’s known
 * @param label what it was started to differ in from others with its title; empty if in nothing
 * @param now what the tab has, such as the title with which the editor brought it back
 */
export function tabTitle(title: string, label: string, now: string): string {
  return attemptName(plainText(title, 80) || now, label);
}

/** The title of the editor with what a step changed. */
export function diffTitle(path: string): string {
  return l10n.t('{0} (before and after the step)', shortName(path));
}

/** The last part of a path. */
export const shortName = (path: string) => plainText(path.split('/').at(-1) ?? path, 80);

/** States of a transcript in which its agent answers. */
const reachable: ReadonlySet<Head['limit']> = new Set(['none', 'busy']);

/** What can be done to a conversation, in words joined by blanks, for the conditions of menus and keybindings. */
export function panelContext({ about, execution, limit, policy, canInterrupt, problem }: Head): string {
  const isReachable = reachable.has(limit) && problem === '';
  return Object.entries({
    conversation: !isStart(limit),
    reachable: isReachable,
    place: isReachable || limit === 'asleep',
    policy: isReachable && policy !== 'itself',
    pullRequest: about.hasPullRequestPage,
    sandbox: about.hasSandbox,
    waiting: execution === 'waiting_for_confirmation',
    running: isReachable && execution === 'running',
    interruptible: isReachable && canInterrupt,
  })
    .flatMap(([word, holds]) => (holds ? [word] : []))
    .join(' ');
}

/**
 * Why a conversation can’t be shown, what to do, and the button for that.
 * @param name of the connection to the service; without one, the service itself
 */
export function unavailableWords(
  service: string,
  connected: string | undefined,
  name: string,
): { message: string; nextStep: string; button?: string } {
  if (connected === service)
    return {
      message: l10n.t('Conversations of this service can only be continued in the browser.'),
      nextStep: l10n.t('Run Open Conversation in Browser.'),
    };
  return {
    message:
      name === service
        ? l10n.t('The connection to {0} was removed.', service)
        : words.notConnectedTo(plainText(name, 80)),
    nextStep: l10n.t('Run Connect…, and the conversation appears. What you wrote here is kept.'),
    button: l10n.t('Connect…'),
  };
}
