import * as l10n from '@vscode/l10n';
import { parseWebviewMessage, type WebviewMessage } from '../../shared/messages';
import type { SecretTarget } from '../../shared/form';
import { discardDraft, restoreDraft } from './offers';
import type { FormHost } from './formHost';
import { clearAllProviders, clearProvider, replaceToken, setHost } from './providerChanges';
import { revert } from './reverting';
import { retry } from './retrying';
import { review } from './reviewing';
import { save } from './saving';
import { deleteParked, park, restore } from './servers/parking';
import { testServer } from './servers/testing';
import { exportServers, importServers } from './servers/transfer';
import { undoInForm } from './undoing';
import { secretQuestion } from './words';

/** A handler for every message from the form. A missing one is a compile error. */
type Handlers = {
  [Type in WebviewMessage['type']]: (
    message: Extract<WebviewMessage, { type: Type }>,
  ) => Promise<void> | void;
};

/** Handles messages from the form; refuses and logs anything else. */
export function messageHandler(host: FormHost): (data: unknown) => Promise<void> {
  const handlers: Handlers = {
    ready: ({ kept }) => host.ready(kept),
    // Edits were taken before the message gets here.
    edits: () => undefined,
    save: ({ choices }) => save(host, choices),
    review: () => review(host),
    undoSave: () => undoInForm(host),
    restoreDraft: ({ id }) => restoreDraft(host, id),
    discardDraft: ({ id }) => discardDraft(host, id),
    revert: () => revert(host),
    retry: () => retry(host),
    replaceSecret: ({ target }) => replaceSecret(host, target),
    clearSecret: ({ target }) => host.decide(target, 'clear'),
    keepSecret: ({ target }) => host.decide(target, 'keep'),
    replaceProviderToken: ({ name, host: providerHost }) => replaceToken(host, name, providerHost),
    setProviderHost: ({ name, host: providerHost }) => setHost(host, name, providerHost),
    clearProvider: ({ name }) => clearProvider(host, name),
    clearAllProviders: () => clearAllProviders(host),
    dismiss: ({ list }) => host.dismiss(list),
    manage: async ({ what }) => host.ports.manage(what),
    importServers: () => importServers(host),
    exportServers: () => exportServers(host),
    testServer: ({ id }) => testServer(host, id),
    cancelTest: ({ id }) => host.tests.cancel(id),
    parkServer: ({ id }) => park(host, id),
    restoreServer: ({ id }) => restore(host, id),
    deleteParked: ({ id }) => deleteParked(host, id),
    refused: ({ what }) => host.ports.log.error(`The form refused a message: ${what}`),
  };
  return async (data) => {
    const parsed = parseWebviewMessage(data);
    if (!parsed.ok) {
      host.ports.log.error(`Refused a message from the form: ${parsed.reason}`);
      return;
    }
    const { message } = parsed;
    const isLate = 'document' in message && message.document !== host.open?.key;
    const isTaken = 'edits' in message && host.take(message, message.revision);
    if (isLate && !(isTaken && message.type === 'edits')) {
      tooLate(host, message.type);
      return;
    }
    const handle = handlers[message.type] as (message: WebviewMessage) => Promise<void> | void;
    await handle(message);
  };
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

/** The value goes from the editor's input into the document's memory; the form learns only that there is one. */
async function replaceSecret(host: FormHost, target: SecretTarget): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const { edits } = open;
  const { title, prompt } = secretQuestion(target, edits, open.document.model);
  const value = await host.ports.askSecret(title, prompt);
  if (value === undefined) return;
  // The save in progress already has its edits.
  if (host.open !== open || open.working !== null) {
    tooLate(host, 'replaceSecret');
    return;
  }
  open.document.setSecret(target, value, edits);
  host.decide(target, 'replace');
}
