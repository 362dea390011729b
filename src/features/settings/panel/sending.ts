import * as l10n from '@vscode/l10n';
import { parseHostMessage, type HostMessage, type SaveResult, type ShownForm } from '../shared/messages';
import { offerOf } from './drafts';
import { modelOf, noServerNotices, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import type { OperatorServers } from './servers/operators';

/** Everything the form shows, except for what just ended. */
export function shownForm(
  { ports, operators }: { ports: FormPorts; operators: OperatorServers },
  open: OpenForm,
): Omit<ShownForm, 'result' | 'goTo'> {
  const { client, document, edits, revision, suggestions, serverNotices, working } = open;
  return {
    type: 'form',
    document: open.key,
    steps: open.steps.length,
    edits,
    revision,
    connection: ports.connectionName(),
    service: client.baseUrl,
    model: modelOf(open),
    notices: [...open.notices],
    offers: open.offers.map((offer) => offerOf(offer, document, new Date())),
    suggestions,
    providerChanges: [...open.providerChanges],
    operators: operators.among(client, document.model.mcpServers),
    hasPickers: client.profiles !== undefined,
    parked: ports.parked.list(client.baseUrl),
    serverNotices,
    working,
  };
}

/**
 * Posts only messages that the form can read. Any other is replaced by one that ends the form's wait, or dropped if the
 * form isn't waiting.
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

/** Messages that end the same wait as `message`, best first. */
function replacements(message: HostMessage): HostMessage[] {
  switch (message.type) {
    case 'form': {
      const shorter = withShortWords(message);
      return [shorter, { ...shorter, parked: [], suggestions: {}, goTo: null }, cantShow()];
    }
    case 'failed':
      return [cantShow()];
    case 'review':
      return [{ type: 'review', groups: [], notes: [unreadable()] }];
    case 'test':
      return [{ ...message, result: message.result && { ok: false, message: unreadable() } }];
    case 'loading':
    case 'reveal':
    case 'untested':
      return [];
  }
}

const cantShow = (): HostMessage => ({
  type: 'failed',
  message: l10n.t('The form can’t show these settings.'),
  nextStep: l10n.t('See the log for details.'),
});

function withShortWords(form: ShownForm): ShownForm {
  const { serverNotices, providerChanges, working, result } = form;
  return {
    ...form,
    notices: [unreadable()],
    serverNotices:
      serverNotices.words.length === 0 ? noServerNotices : { ...serverNotices, words: [unreadable()] },
    providerChanges: providerChanges.map((change) => ({
      ...change,
      error: change.error === null ? null : unreadable(),
    })),
    working: working === null ? null : l10n.t('Working…'),
    result: result && resultInstead(result),
  };
}

function resultInstead(result: SaveResult): SaveResult {
  switch (result.kind) {
    case 'saved':
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
