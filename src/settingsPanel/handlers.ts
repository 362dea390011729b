import { parseWebviewMessage, type WebviewMessage } from '../shared/messages';
import type { SecretTarget } from '../shared/form';
import { discardDraft, restoreDraft } from './drafts';
import type { FormHost } from './formHost';
import { clearAllProviders, clearProvider, replaceToken, setHost } from './providerChanges';
import { review } from './reviewing';
import { save } from './saving';
import { handleServerRequest } from './servers/requests';
import { undoInForm } from './undoing';
import { secretQuestion } from './words';

/** A handler for every message of the form; one that is missing does not compile. */
type Handlers = {
  [Type in WebviewMessage['type']]: (
    message: Extract<WebviewMessage, { type: Type }>,
  ) => Promise<void> | void;
};

/** Takes what arrives from the form: acts on a message, refuses and logs anything else. */
export function messageHandler(host: FormHost): (data: unknown) => Promise<void> {
  const handlers: Handlers = {
    ready: ({ kept }) => host.ready(kept),
    edits: ({ edits }) => host.setEdits(edits),
    save: ({ edits, choices }) => {
      host.setEdits(edits);
      return save(host, choices);
    },
    review: ({ edits }) => {
      host.setEdits(edits);
      review(host);
    },
    undoSave: () => undoInForm(host),
    restoreDraft: ({ id }) => restoreDraft(host, id),
    discardDraft: ({ id }) => discardDraft(host, id),
    revert: () => host.revert(),
    retry: () => host.load(),
    replaceSecret: ({ target }) => replaceSecret(host, target),
    clearSecret: ({ target }) => host.decide(target, 'clear'),
    keepSecret: ({ target }) => host.decide(target, 'keep'),
    replaceProviderToken: ({ name, host: providerHost }) => replaceToken(host, name, providerHost),
    setProviderHost: ({ name, host: providerHost }) => setHost(host, name, providerHost),
    clearProvider: ({ name }) => clearProvider(host, name),
    clearAllProviders: () => clearAllProviders(host),
    servers: ({ request }) => handleServerRequest(host, request),
    refused: ({ what }) => host.ports.log.error(`The form refused a message: ${what}`),
  };
  return async (data) => {
    const parsed = parseWebviewMessage(data);
    if (!parsed.ok) {
      host.ports.log.error(`Refused a message of the form: ${parsed.reason}`);
      return;
    }
    const handle = handlers[parsed.message.type] as (message: WebviewMessage) => Promise<void> | void;
    await handle(parsed.message);
  };
}

/** The value goes from the editor's input into the document's memory; the form learns only that there is one. */
async function replaceSecret(host: FormHost, target: SecretTarget): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const { title, prompt } = secretQuestion(target, open.edits, open.document.model.mcpServers);
  const value = await host.ports.askSecret(title, prompt);
  if (value === undefined || host.open !== open) return;
  open.document.setSecret(target, value);
  host.decide(target, 'replace');
}
