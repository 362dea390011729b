import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, configurationSection, settingIds, type CommandId } from '../../../ids';
import { showNotice } from '../../../editor/notifications';
import { isOn, turn } from '../../../editor/settings';
import { plainText } from '../../../shared/plainText';
import type { AttentionEvent } from '../../../core/lists/attention';
import type { News } from '../model/attentionFeed';
import { attemptName, conversationName, type Differences, sandboxName } from '../../../core/lists/names';
import type { RecordRef } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf } from '../../../core/session/session';
import { switchTo, type SwitchNeeds } from '../../targets/editor';
import { attentionNotice, isOfSandbox, type NoticeAction } from './words';

export interface NotifierDependencies extends SwitchNeeds {
  model: Pick<ServiceModel, 'sandboxes' | 'sandboxesNow' | 'conversations' | 'conversation'>;
  /** What attempts, which have the same title, differ in. */
  attempts: Differences;
  /** Selects the row of a sandbox in its view. */
  reveal: (ref: RecordRef) => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
}

/** Shows what happened in one notification, except for the kinds that the user turned off. */
export async function notify(needs: NotifierDependencies, news: News): Promise<void> {
  const { baseUrl, events, connection } = news;
  const wanted = events.filter(({ kind }) => isOn(settingIds[kind]));
  const isElsewhere = connection !== undefined;
  // The lists are those of another service, which may use the same id for something else.
  const name = (event: AttentionEvent) =>
    isElsewhere ? conversationName({ title: null, ...event }) : nameOf(needs, baseUrl, event);
  const notice = attentionNotice(wanted, name);
  if (!notice) return;
  const message = isElsewhere
    ? l10n.t('On {0}: {1}', plainText(connection, 30), notice.message)
    : notice.message;
  const chosen = await showNotice(notice.severity, message, notice.actions);
  if (chosen) await act(needs, baseUrl, chosen.action);
}

async function act(needs: NotifierDependencies, baseUrl: string, action: NoticeAction) {
  const { session, model, reveal, run } = needs;
  if (action.do === 'turnOff') return turn(settingIds[action.kind], false);
  if (action.do === 'chooseKinds') {
    const query = `${configurationSection}.notifications`;
    await vscode.commands.executeCommand('workbench.action.openSettings', query);
    return;
  }
  const { automation } = action.event;
  if (automation !== undefined) {
    const ref = { kind: 'automation', id: automation, service: baseUrl, run: action.event.id };
    return run(commandIds.automationShowRuns, [{ ref }]);
  }
  const isElsewhere = () => clientOf(session.current)?.baseUrl !== baseUrl;
  // The same id may be something else in the lists of another service; the tab of a conversation opens on its own.
  if (isElsewhere() && (isOfSandbox(action.event) || action.do !== 'show')) {
    const why = (name: string) => l10n.t('This happened on {0}. This window is on another connection.', name);
    if (!(await switchTo(needs, baseUrl, why))) return;
  }
  const { id } = action.event;
  const kind = isOfSandbox(action.event) ? 'sandbox' : 'conversation';
  const ref: RecordRef = { kind, id, ...(isElsewhere() && { service: baseUrl }) };
  if (action.do !== 'show') return run(commandOf[action.do], [{ ref }]);
  if (ref.kind === 'sandbox') {
    // It may never have been read.
    await model.sandboxesNow([id]);
    return reveal(ref);
  }
  const isWaiting = action.event.kind === 'agentWaits';
  await run(isWaiting ? commandIds.conversationReview : commandIds.conversationShow, [{ ref }]);
}

function nameOf({ model, attempts }: NotifierDependencies, service: string, event: AttentionEvent): string {
  const { id, title } = event;
  if (isOfSandbox(event))
    return sandboxName(model.sandboxes.get(id) ?? { id }, model.conversations.state.items);
  const conversation = model.conversation(id) ?? { id, title };
  return attemptName(conversationName(conversation), attempts.of(service, conversation)?.label);
}

const commandOf = {
  resume: commandIds.sandboxResume,
  showDetails: commandIds.sandboxShowDetails,
} as const;
