import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../../api/http/errors';
import type { NewAutomation } from '../../../api/service/automations';
import type { Handler } from '../../../editor/handler';
import { agreedTo, askText, needsText, runFlow } from '../../../editor/inputs';
import { showError, withQuietProgress } from '../../../editor/progress';
import { viewIds } from '../../../ids';
import { sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { chooseLive, type LiveNeeds, readFirst, titleOf } from '../../live/editor';
import type { AutomationsAt } from '../model/watch';
import { triggerWords } from '../model/words';
import { askSchedule, nextWords } from './askSchedule';
import { type AutomationNeeds, readAutomations } from './choose';

type Needs = AutomationNeeds & LiveNeeds;

/** New Automation from This Conversation…: sends the conversation’s first message again, on a schedule. */
export function createAutomation(needs: Needs): Handler {
  return async (argument) => {
    const title = l10n.t('New Automation from This Conversation');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const known = needs.automations.at(live.service);
    if (!known && live.service !== needs.conversations.service) {
      void vscode.window.showInformationMessage(
        l10n.t('Switch to this conversation’s connection to create an automation from it.'),
      );
      return;
    }
    const at = await readAutomations(needs.automations, known);
    const none = l10n.t('This conversation has no message of yours to turn into an automation.');
    const first = at && (await readFirst(live.model, none));
    if (!first) return;
    const prompt = first.text.trim();
    if (prompt === '') {
      void vscode.window.showWarningMessage(none);
      return;
    }
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const made = { name: titleOf(live.model), prompt, schedule: '', timezone: timeZone || 'UTC' };
    const answer = await runFlow([
      async () => {
        const name = await askText({
          ...{ title, step: 1, totalSteps: 2, value: made.name, prompt: l10n.t('Name of the automation') },
          placeholder: l10n.t('For example, Weekly report'),
          validate: needsText,
        });
        if (typeof name === 'string') made.name = plainText(name, 100);
        return name;
      },
      async () => {
        const schedule = await askSchedule({ title, step: 2, totalSteps: 2 }, made.timezone);
        if (typeof schedule === 'string') made.schedule = schedule;
        return schedule;
      },
    ]);
    if (answer !== true || !(await isAgreed(made, first.images))) return;
    await create(needs, at, made);
  };
}

function isAgreed(made: NewAutomation, images: number): Promise<boolean> {
  const when = triggerWords({ type: 'cron', ...made }, vscode.env.language);
  const pictures = images > 0 ? l10n.t('The pictures of the message aren’t included.') : '';
  const what = l10n.t(
    'Each run starts a new conversation with this message: “{0}”',
    plainText(made.prompt, 300),
  );
  return agreedTo(
    l10n.t('Create the automation “{0}”?', made.name),
    [sentences(`${when}.`, nextWords(made.schedule, made.timezone) ?? '', pictures), what].join('\n\n'),
    l10n.t('Create'),
  );
}

/** Creates it; the user may try again after a failure, unless it may have been created. */
async function create(needs: AutomationNeeds, at: AutomationsAt, made: NewAutomation): Promise<void> {
  const { automations: watch } = needs;
  const { baseUrl } = at.connection;
  const before = new Set(at.items.map(({ id }) => id));
  const isMade = () =>
    !!watch
      .at(baseUrl)
      ?.items.some(
        ({ id, name, trigger }) =>
          !before.has(id) && name === made.name && trigger?.schedule === made.schedule,
      );
  for (;;) {
    try {
      await withQuietProgress(l10n.t('Creating {0}…', made.name), () => at.server.createAutomation(made));
      break;
    } catch (error) {
      let canRetry = true;
      if (error instanceof ApiError && error.outcomeUnknown) {
        await watch.refresh(baseUrl, isMade);
        if (isMade()) break;
        const now = watch.at(baseUrl);
        canRetry = now !== undefined && now.error === undefined;
      }
      const picked = await showError(l10n.t('Couldn’t create the automation.'), error, {
        ...(canRetry && { action: { title: l10n.t('Try Again') }, applied: 'no' }),
      });
      if (picked !== 'action') return;
    }
  }
  await watch.refresh(baseUrl, isMade);
  if (watch.here?.connection.baseUrl === baseUrl)
    await vscode.commands.executeCommand(`${viewIds.automations}.focus`);
}
