import * as l10n from '@vscode/l10n';
import { parseHostMessage, type HostMessage, type SaveResult } from '../../shared/messages';
import type { ServerEvent } from '../../shared/serverMessages';
import type { FormPorts } from './ports';

/**
 * A way to the form that lets only messages through that the form can read. In place of any other goes one that ends
 * what the form waits for; where it waits for nothing, none.
 */
export function readablePost({ post, log }: Pick<FormPorts, 'post' | 'log'>): FormPorts['post'] {
  return (message) => {
    const parsed = parseHostMessage(message);
    if (parsed.ok) {
      post(message);
      return;
    }
    log.error(`The form can't read a message of the type ${message.type}: ${parsed.reason}`);
    const instead = replacements(message).find((other) => parseHostMessage(other).ok);
    if (instead) post(instead);
  };
}

const unreadable = () =>
  l10n.t('There is more to show here than the form can take. See the log for details.');

/** What ends the same wait as `message`, the best first. */
function replacements(message: HostMessage): HostMessage[] {
  if (message.type !== 'model') return [replacement(message)].filter((other) => other !== undefined);
  const { result } = message;
  const shorter: HostMessage = {
    ...message,
    notices: [unreadable()],
    result: result && resultInstead(result),
  };
  return [shorter, cantShow()];
}

const cantShow = (): HostMessage => ({
  type: 'failed',
  message: l10n.t('The form can’t show these settings.'),
  nextStep: l10n.t('See the log for details.'),
});

function replacement(message: Exclude<HostMessage, { type: 'model' }>): HostMessage | undefined {
  switch (message.type) {
    case 'failed':
      return cantShow();
    case 'saveResult':
      return { type: 'saveResult', result: resultInstead(message.result) };
    case 'review':
      return { type: 'review', groups: [], notes: [unreadable()] };
    case 'provider':
      return { ...message, error: message.error === null ? null : unreadable() };
    case 'servers': {
      const event = eventInstead(message.event);
      return event && { type: 'servers', event };
    }
    case 'notice':
      return { type: 'notice', message: unreadable() };
    case 'loading':
    case 'reveal':
    case 'secret':
    case 'suggestions':
    case 'providers':
    case 'saving':
      return undefined;
  }
}

function resultInstead(result: SaveResult): SaveResult {
  switch (result.kind) {
    case 'saved':
      return { ...result, notes: [unreadable()] };
    case 'canceled':
      return result;
    case 'invalid':
    case 'conflict':
    case 'failed':
      return { kind: 'failed', message: unreadable() };
    case 'notUndone':
      return { kind: 'notUndone', message: unreadable() };
  }
}

function eventInstead(event: ServerEvent): ServerEvent | undefined {
  switch (event.kind) {
    case 'added':
      return { kind: 'done', notices: [unreadable()], failed: true, goTo: null };
    case 'done':
      return { kind: 'done', notices: [unreadable()], failed: event.failed, goTo: null };
    case 'test':
      return { ...event, result: event.result && { ok: false, message: unreadable() } };
    case 'working':
      return { kind: 'working', words: l10n.t('Working…') };
    case 'parked':
      return undefined;
  }
}
