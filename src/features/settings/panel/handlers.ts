import * as l10n from '@vscode/l10n';
import { parseWebviewMessage, refusedType, type WebviewMessage } from '../shared/messages';
import { type SecretTarget, type FormEdits, intentionsOf, withIntention } from '../shared/form';
import type { FormHost } from './formHost';
import { type OpenForm, overlaid, type EditsStep } from './openForm';
import { clearAllProviders, clearProvider, replaceToken, setHost } from './providerChanges';
import { review, save, typedSecrets } from './saving';
import { deleteParked, park, restore } from './servers/parking';
import { signInToServer } from './servers/signingIn';
import { testServer } from './servers/testing';
import { undoInForm } from './undoing';
import { secretQuestion, restoredNotices, unplacedNotices, secretLabels, targetNames } from './words';
import { restoreEdits } from '../model/draft';
import { storeDrafts } from './drafts';
import { ApiError } from '../../../api/http/errors';
import { agreesToEmpty } from './asking';
import { sentences } from '../../../shared/joined';
import { thrownWords } from '../../../shared/thrown';

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
    signInToServer: ({ id }, open) => signInToServer(host, open, id),
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
  // It’s sent as a bearer token, but many copy the whole header’s value.
  const isToken = target.at === 'mcpApiKey';
  open.document.setSecret(target, isToken ? value.replace(/^bearer\s+(?=\S)/i, '') : value, edits);
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

/** Adds the draft’s edits to the form; if both change the same value, the draft wins, but no typed secret is lost. */
function restoreDraft(host: FormHost, open: OpenForm, id: string): void {
  const offer = open.offers.find((candidate) => candidate.id === id);
  if (!offer || open.working !== null) return;
  const { model } = open.document;
  const { draft } = offer;
  // The draft's server changes are merged with servers edited since.
  const restoredOn = (current: FormEdits) =>
    restoreEdits(draft.edits, draft.base, { ...model, mcpServers: current.mcpServers ?? model.mcpServers });
  const step: EditsStep = (current) =>
    intentionsOf(current).reduce(
      (edits, { target, intention }) => withIntention(edits, model.mcpServers, target, intention),
      overlaid(current, restoredOn(current).edits),
    );
  open.offers = open.offers.filter((other) => other !== offer);
  const restored = restoredOn(open.edits);
  open.notices = [...restoredNotices(restored, draft), ...unplacedNotices(restored)];
  host.step(step);
}

/** Forgets the draft. */
function discardDraft(host: FormHost, open: OpenForm, id: string): void {
  open.offers = open.offers.filter((offer) => offer.id !== id);
  storeDrafts(host.ports, open);
  host.show();
}

/**
 * Reads again because the user asks. If the service says again that no settings are saved, the user decides whether to
 * believe it.
 */
async function retry(host: FormHost): Promise<void> {
  const wasNoneSaved = saysNoneSaved(host.last?.failure);
  await host.load();
  const { last } = host;
  if (!wasNoneSaved || last?.client === undefined || !saysNoneSaved(last.failure)) return;
  const agreed = await agreesToEmpty(host.ports, last.client.baseUrl, 'open');
  if (agreed && host.last === last) await host.load();
}

function saysNoneSaved(failure: unknown): boolean {
  return failure instanceof ApiError && failure.reason === 'noneSaved';
}

/** Drops every edit and typed secret and reads the settings again; asks when more than one change would be lost. */
async function revert(host: FormHost, open: OpenForm): Promise<void> {
  if (open.working !== null) return;
  const question = questionFor(open);
  if (question && !(await host.ports.confirm(question.title, question.detail, l10n.t('Discard')))) return;
  // A save may have begun, or the connection may have changed, while the question was open.
  const { open: now } = host;
  if (now !== open || now.working !== null) return;
  open.document.clearSecretValue();
  host.settle(open, { document: open.document, isEarlier: true });
  const problem = await host.refresh();
  if (problem !== undefined && host.open?.client === open.client) host.say(problem);
}

/** Undefined if at most one change would be lost and it can be typed again. */
function questionFor({ document, edits }: OpenForm): { title: string; detail: string } | undefined {
  const changes = document.review(edits);
  const secrets = typedSecrets(document, edits);
  if (changes.length < 2 && secrets.length === 0) return undefined;
  const title =
    changes.length === 1
      ? l10n.t('Discard 1 unsaved change?')
      : l10n.t('Discard {0} unsaved changes?', changes.length);
  const lost = l10n.t('You’ll lose your changes to: {0}.', targetNames(changes));
  const detail =
    secrets.length === 0
      ? lost
      : sentences(lost, l10n.t('Secrets you entered are lost too: {0}.', secretLabels(secrets)));
  return { title, detail };
}

/** Adds servers from a file to the form. The code of import and export runs on first use. */
export function importOnFirstUse(host: FormHost): Promise<void> {
  return telling(host, 'import', async () => (await import('./servers/importing')).importServers(host));
}

/** Writes servers of the form to a file. */
export function exportOnFirstUse(host: FormHost): Promise<void> {
  return telling(host, 'export', async () => (await import('./servers/exporting')).exportServers(host));
}

/** Shows unexpected errors, such as those of files, to the user. */
async function telling({ ports }: FormHost, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const words = thrownWords(error);
    ports.log.error(`MCP servers: ${what} failed: ${words}`);
    await ports.servers.tell('error', l10n.t('Failed: {0}', words));
  }
}
