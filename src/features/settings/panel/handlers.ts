import * as l10n from '@vscode/l10n';
import { parseWebviewMessage, refusedType, type WebviewMessage } from '../shared/messages';
import type { SecretTarget } from '../shared/form';
import { discardDraft, restoreDraft } from './offers';
import type { FormHost } from './formHost';
import type { OpenForm } from './openForm';
import { clearAllProviders, clearProvider, replaceToken, setHost } from './providerChanges';
import { revert } from './reverting';
import { retry } from './retrying';
import { review } from './reviewing';
import { save } from './saving';
import { deleteParked, park, restore } from './servers/parking';
import { testServer } from './servers/testing';
import { exportOnFirstUse, importOnFirstUse } from './servers/transfer';
import { undoInForm } from './undoing';
import { secretQuestion } from './words';

type Message<Type> = Extract<WebviewMessage, { type: Type }>;

/** A handler for every message from the form, given what a message is about. A missing one is a compile error. */
type Handlers = {
  [Type in WebviewMessage['type']]: (
    message: Message<Type>,
    open: Message<Type> extends { document: string } ? OpenForm : unknown,
  ) => Promise<void> | void;
};

/** Handles messages from the form; refuses, answers and logs anything else. */
export function formMessageHandler(host: FormHost): (data: unknown) => Promise<void> {
  const handlers: Handlers = {
    ready: ({ kept }) => host.ready(kept),
    // Edits were taken before the message gets here.
    edits: () => undefined,
    save: ({ choices }, open) => save(host, open, choices),
    review: (_message, open) => review(host, open),
    undoSave: (_message, open) => undoInForm(host, open),
    restoreDraft: ({ id }, open) => restoreDraft(host, open, id),
    discardDraft: ({ id }, open) => discardDraft(host, open, id),
    revert: (_message, open) => revert(host, open),
    retry: () => retry(host),
    replaceSecret: ({ target }, open) => replaceSecrets(host, open, [target]),
    replaceSecrets: ({ targets }, open) => replaceSecrets(host, open, targets),
    clearSecret: ({ target }) => host.decide(target, 'clear'),
    keepSecret: ({ target }) => host.decide(target, 'keep'),
    replaceProviderToken: ({ name, host: to }, open) => replaceToken(host, open, name, to),
    setProviderHost: ({ name, host: to }, open) => setHost(host, open, name, to),
    clearProvider: ({ name }, open) => clearProvider(host, open, name),
    clearAllProviders: (_message, open) => clearAllProviders(host, open),
    dismiss: ({ list }) => host.dismiss(list),
    manage: async ({ what }) => host.ports.manage(what),
    importServers: () => importOnFirstUse(host),
    exportServers: () => exportOnFirstUse(host),
    testServer: ({ id }, open) => testServer(host, open, id),
    cancelTest: ({ id }) => host.tests.cancel(id),
    parkServer: ({ id }, open) => park(host, open, id),
    restoreServer: ({ id }, open) => restore(host, open, id),
    deleteParked: ({ id }, open) => deleteParked(host, open, id),
    refused: ({ what }) => host.ports.log.error(`The form refused a message: ${what}`),
  };
  return async (data) => {
    const parsed = parseWebviewMessage(data);
    if (!parsed.ok) {
      host.ports.log.error(`Refused a message from the form: ${parsed.reason}`);
      await answerRefused(host, refusedType(data));
      return;
    }
    const { message } = parsed;
    const isLate = 'document' in message && message.document !== host.open?.key;
    const isTaken = 'edits' in message && host.take(message, message.revision);
    if (isLate && !(isTaken && message.type === 'edits')) {
      tooLate(host, message.type);
      return;
    }
    const handle = handlers[message.type] as (message: WebviewMessage, open: unknown) => Promise<void> | void;
    await handle(message, host.open);
  };
}

/** Ends whatever the form waits for after a message that can't be read. */
async function answerRefused(host: FormHost, type: WebviewMessage['type'] | undefined): Promise<void> {
  if (type === undefined || type === 'refused') return;
  if (type === 'ready') {
    await host.ready(null);
    return;
  }
  const message = l10n.t(
    'The extension can’t read what the form sent, so nothing was done. A value may be too long. Your changes are still here.',
  );
  if (type === 'review') host.ports.post({ type: 'review', groups: [], notes: [message] });
  else if (type === 'save' && host.open) host.show({ result: { kind: 'failed', message } });
  else if (!host.open?.notices.includes(message)) host.say(message);
}

/** Reports a message about settings that the form no longer shows, perhaps of another connection. */
function tooLate(host: FormHost, type: WebviewMessage['type']): void {
  host.ports.log.warn(`Dropped a late message from the form: ${type}`);
  const message = l10n.t(
    'The settings on screen have changed, so your last action wasn’t applied. Try again.',
  );
  if (type === 'save' && host.open) host.show({ result: { kind: 'failed', message } });
  else host.say(message);
}

/**
 * The value goes from the editor's input into the document's memory; the form learns only that there is one. False if
 * there is none.
 */
async function replaceSecret(
  host: FormHost,
  open: OpenForm,
  target: SecretTarget,
  titled: (title: string) => string,
): Promise<boolean> {
  const { edits } = open;
  const { title, prompt } = secretQuestion(target, edits, open.document.model);
  const value = await host.ports.askSecret(titled(title), prompt);
  if (value === undefined) return false;
  // The save in progress already has its edits.
  if (host.open !== open || open.working !== null) {
    tooLate(host, 'replaceSecret');
    return false;
  }
  open.document.setSecret(target, value, edits);
  host.decide(target, 'replace');
  return true;
}

/** Asks for one after the other, until the user cancels; those that were entered stay. */
async function replaceSecrets(
  host: FormHost,
  open: OpenForm,
  targets: readonly SecretTarget[],
): Promise<void> {
  for (const [index, target] of targets.entries()) {
    const titled = (title: string) =>
      targets.length === 1 ? title : l10n.t('{0} ({1} of {2})', title, index + 1, targets.length);
    if (!(await replaceSecret(host, open, target, titled))) return;
  }
}
