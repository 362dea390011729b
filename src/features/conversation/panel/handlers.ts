import * as l10n from '@vscode/l10n';
import { markOf } from '../../../shared/actionMark';
import { agentFolders } from '../../../shared/agentFolders';
import { longestText } from '../../../shared/bounded';
import { commonEnds } from '../shared/commonEnds';
import { isAction, parseFromPage, refusedMessage, type FromPage } from '../../../shared/conversationFromPage';
import { pictureUris, type Composed } from '../../../shared/conversationMessages';
import { plainLines, plainText } from '../../../shared/plainText';
import type { StepEntry } from '../../../shared/transcript';
import { webLink } from '../shared/webLink';
import type { ConversationModel } from '../../live';
import { noPictures } from '../../start';
import { words, entryText } from '../../transcript';
import { attachChosen, attachNamed, attachOffered } from './attachFiles';
import { messageOf } from './attachments';
import type { ConversationHost } from './conversationHost';

/** A handler for every message from the page. A missing one is a compile error. */
type Handlers = {
  [Type in FromPage['type']]: (message: Extract<FromPage, { type: Type }>) => unknown;
};

/** Handles messages from the page; refuses, answers and logs anything else. Never rejects. */
export function conversationMessageHandler(host: ConversationHost): (data: unknown) => Promise<void> {
  const { model, ports } = host;
  const handlers: Handlers = {
    ready: ({ draft }) => host.ready(draft),
    loadOlder: () => host.loadOlder(),
    goTo: ({ id }) => host.goTo(id),
    search: ({ query, ...options }) => host.searching.search(query, options),
    draft: (draft) => host.setDraft(draft),
    send: (composed) => send(host, composed),
    takeBack: ({ id }) => takeBack(host, id),
    resend: ({ id }) => resend(host, id),
    dismissAside: () => host.setAside(null),
    addContext: async () => {
      await attachChosen(host, await ports.context.pick());
      host.focus('composer');
    },
    findContext: ({ query }) => host.mentions.find(query),
    findSkills: ({ query }) => host.mentions.findSkills(query),
    mention: ({ id }) => attachOffered(host, host.mentions.taken(id)),
    attachFiles: ({ uris }) => attachNamed(host, uris),
    attachPicture: ({ uri }) => {
      if (model.head.sendEffect === 'retries') host.say(noPictures());
      else if (host.attachments.addPicture(uri)) host.attachmentsChanged();
      else host.say(l10n.t('Too many attachments. Remove some and try again.'));
    },
    removeAttachment: ({ id }) => {
      host.attachments.remove(id);
      host.attachmentsChanged();
    },
    approve: ({ ids, marks }) => answer(host, 'approve', ids, () => model.approve(ids), marks),
    reject: ({ ids, reason }) => answer(host, 'reject', ids, () => model.reject(ids, reason.trim())),
    pause: () => host.act('pause', () => model.pause()),
    interrupt: () => host.act('interrupt', () => model.interrupt()),
    resume: () => host.act('resume', () => model.resume()),
    changePolicy: () => ports.run('changePolicy'),
    locate: ({ paths }) => locate(host, paths),
    openFile: (file) => openFile(host, file),
    openDiff: ({ id }) => (host.isPending(id) ? openPlanned(host, id) : openDiff(host, id)),
    showStep: ({ id }) => ports.showStep(id),
    openPort: ({ id }) => host.openPort(id),
    showChanges: () => ports.run('showChanges'),
    openWhole: ({ id }) => openWhole(host, id),
    showPictures: ({ id }) => showPictures(host, id),
    openAsText: () => ports.run('openAsText'),
    export: () => ports.run('export'),
    openPullRequest: () => ports.run('openPullRequest'),
    revealSandbox: () => ports.run('revealSandbox'),
    switchHere: () => ports.switchHere(),
    nextStep: () => nextStep(host),
    openLink: ({ url }) => openLink(host, url),
    copyCode: ({ text }) => ports.copy(plainLines(text)),
    copy: ({ id, what }) => copy(host, id, what),
    refused: ({ what }) => ports.log.error(`The conversation refused a message: ${what}`),
  };
  return async (data) => {
    const parsed = parseFromPage(data);
    if (!parsed.ok) {
      ports.log.error(`Refused a message from the conversation: ${parsed.reason}`);
      await answerRefused(host, data);
      return;
    }
    const handle = handlers[parsed.message.type] as (message: FromPage) => unknown;
    try {
      await handle(parsed.message);
    } catch (error) {
      host.failed(l10n.t('That didn’t work.'), error);
    }
  };
}

/** Ends whatever the page waits for after a message that can't be read, and gives back what was to be sent. */
async function answerRefused(host: ConversationHost, data: unknown): Promise<void> {
  const { type, text = '' } = refusedMessage(data) ?? {};
  if (type === undefined || type === 'refused') return;
  if (type === 'ready') {
    host.ready({ text: '', revision: 0 });
    return;
  }
  const problem = l10n.t(
    'Nothing was done: the extension can’t read what this tab sent. Shorten it if it’s long, or use your browser.',
  );
  if (type === 'send') host.giveBack(text);
  if (isAction(type)) await host.act(type, () => Promise.resolve({ kind: 'refused', problem }));
  else host.say(problem);
}

/** Puts an outgoing message back into the composer, if both fit there. */
function takeBack(host: ConversationHost, id: string): void {
  const text = host.model.head.outgoing.find((one) => one.id === id)?.text ?? '';
  if (!host.hasRoomFor(text)) {
    host.say(l10n.t('The message doesn’t fit in the box beside what’s already there. Empty the box first.'));
    return;
  }
  const message = host.model.takeBack(id);
  if (message) host.restore(message);
}

/** Sends a message again that certainly hasn’t arrived. */
async function resend(host: ConversationHost, id: string): Promise<void> {
  const { model } = host;
  const isUnsent = model.head.outgoing.some((one) => one.id === id && one.state === 'failed');
  const message = isUnsent ? model.takeBack(id) : undefined;
  if (message) await host.act('send', () => model.send(message.text, message.images));
}

async function send(host: ConversationHost, { text, revision }: Composed): Promise<void> {
  const message = messageOf(text, host.attachments.all);
  if (message.text === '' && message.images.length === 0) return;
  if (message.text.length > longestText) {
    host.giveBack(text);
    const problem = l10n.t(
      'Not sent: with its attachments, the message is longer than {0} characters. Remove some.',
      longestText.toLocaleString(),
    );
    await host.act('send', () => Promise.resolve({ kind: 'refused', problem }));
    return;
  }
  host.attachments.take();
  // Even if sending fails, the message stays among the outgoing ones until it has arrived or is taken back.
  const sending = host.act('send', () => host.model.send(message.text, message.images));
  host.emptyComposer(revision);
  await sending;
}

/** Answers what the agent asks, unless that's no longer what the page shows. */
async function answer(
  host: ConversationHost,
  of: 'approve' | 'reject',
  ids: readonly string[],
  change: Parameters<ConversationHost['act']>[1],
  marks?: readonly string[],
): Promise<void> {
  const actions = host.model.head.pending;
  const pending = actions.map(({ id }) => id);
  const shown = new Set(ids);
  // An agent may wait for what can’t be read, and be told no.
  const isAnything = pending.length > 0 || of === 'reject';
  const isWhole = ids.length === pending.length && pending.every((id) => shown.has(id));
  // Under its ID, an action may be another one than the page has heard of so far.
  const isSame = isAnything && isWhole && (!marks || actions.every((one) => marks.includes(markOf(one))));
  const refused = { kind: 'refused', problem: words.changed() } as const;
  await host.act(of, isSame ? change : () => Promise.resolve(refused));
}

const filesHere = ({ model, ports }: ConversationHost, paths: readonly string[]) =>
  ports.findFiles(paths, model.head.folders ?? agentFolders('', null));

async function locate(host: ConversationHost, paths: readonly string[]): Promise<void> {
  const found = await filesHere(host, paths);
  if (found.size > 0) host.post({ type: 'located', paths: [...found.keys()] });
}

async function openFile(
  host: ConversationHost,
  { path, id, line }: Extract<FromPage, { type: 'openFile' }>,
): Promise<void> {
  const uri = (await filesHere(host, [path])).get(path);
  if (uri === undefined) {
    host.say(l10n.t('This file isn’t in the folder that’s open here anymore.'));
    return;
  }
  const edited = host.model.editedFile(id);
  const isEdited = line === null && edited?.path === path;
  const lines = (text: string) => text.split('\n');
  await host.ports.openFile(
    uri,
    isEdited ? commonEnds(lines(edited.before), lines(edited.after))[0] + 1 : line,
  );
}

/** Resuming a sandbox counts as under way, which the page says, until the transcript shows that it’s running. */
function nextStep(host: ConversationHost): Promise<void> {
  const { model, ports } = host;
  return host.act('nextStep', async () => {
    const { limit } = model.head;
    await ports.run('nextStep');
    const { readings } = model;
    if (limit === 'asleep') await untilChanged(model, () => model.readings > readings);
    return { kind: 'done' };
  });
}

/** Resolves once a condition holds, or the conversation ends here or is no longer followed. */
function untilChanged(model: ConversationModel, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!holds() && model.isCurrent && !model.signal.aborted) return;
      following.dispose();
      model.signal.removeEventListener('abort', check);
      resolve();
    };
    const following = model.onDidChange(check);
    model.signal.addEventListener('abort', check);
    check();
  });
}

async function openDiff(host: ConversationHost, id: string): Promise<void> {
  const file = host.model.editedFile(id);
  if (file) await host.ports.showDiff(file.path, file.before, file.after);
  else host.say(l10n.t('The file’s contents are no longer available.'));
}

/** Shows what an action would edit, which counts as seen in the card. */
async function openPlanned(host: ConversationHost, id: string): Promise<void> {
  const file = host.model.plannedEdit(id);
  const action = host.model.head.pending.find((one) => one.id === id);
  if (!file || !action) return;
  const showsAll = await host.ports.showPlannedDiff(file.path, file.before, file.after);
  if (showsAll) host.reviewed(action);
  else
    host.say(l10n.t('Your diff editor can hide whitespace changes, so review this edit in the card, too.'));
}

async function wholeText({ model }: ConversationHost, id: string): Promise<string | undefined> {
  const entry = model.entries.find((one) => one.id === id);
  return entry && ((await model.fullText(id)) ?? entryText(entry));
}

async function openWhole(host: ConversationHost, id: string): Promise<void> {
  const text = await wholeText(host, id);
  if (text === undefined) return;
  await host.ports.showDocument(
    plainText(host.model.head.title, 100) || l10n.t('Conversation'),
    plainLines(text),
  );
}

/** Shows those that can be shown without fetching anything. */
async function showPictures(host: ConversationHost, id: string): Promise<void> {
  const uris = pictureUris(await host.model.pictures(id));
  if (uris.length > 0) host.post({ type: 'pictures', id, uris });
  else host.say(l10n.t('These pictures can’t be shown here. Open the conversation in your browser.'));
}

async function commandOf(
  { model }: ConversationHost,
  { id, detail, isCut }: StepEntry,
): Promise<string | undefined> {
  const shown = detail.step === 'terminal' ? detail.command : undefined;
  return isCut || shown === undefined ? ((await model.fullText(id, undefined, 'command')) ?? shown) : shown;
}

async function copy(host: ConversationHost, id: string, what: 'text' | 'command'): Promise<void> {
  const entry = host.model.entries.find((one) => one.id === id);
  const step = what === 'command' && entry?.kind === 'step' ? entry : undefined;
  const text = step ? await commandOf(host, step) : await wholeText(host, id);
  if (text !== undefined) await host.ports.copy(plainLines(text));
}

/** Shows the whole address before anything is opened. */
async function openLink({ ports }: ConversationHost, text: string): Promise<void> {
  const url = webLink(text);
  if (!url) {
    ports.log.error('Refused a link from the conversation: not a web address');
    return;
  }
  const agreed = await ports.confirm(
    l10n.t('Open this link from the conversation?'),
    url.href,
    l10n.t('Open'),
  );
  if (agreed) await ports.openLink(url);
}
