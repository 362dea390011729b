import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../core/basics/emitter';
import { nextTurn } from '../../../core/basics/nextTurn';
import { Refusal } from '../../../core/basics/refusal';
import { errorWords } from '../../../editor/errorText';
import { longestText } from '../../../shared/bounded';
import {
  fittingMessage,
  putBackAbove,
  type Action,
  type Aside,
  type Composed,
  type Composer,
  type ToPage,
} from '../../../shared/conversationMessages';
import { sentences } from '../../../shared/joined';
import { same } from '../../../shared/same';
import type { QuotedSelection } from '../../../shared/selection';
import { nextRevision, soundTime } from '../../../shared/soundTime';
import type { Entry, Head, PendingAction } from '../../../shared/transcript';
import { type ConversationModel, type Outcome, type TakenBack, onceFilled } from '../../live';
import { words as ofConversation } from '../../transcript';
import { Attachments } from './attachments';
import { Mentions } from './mentions';
import type { ConversationPorts } from './ports';
import { TranscriptSearch } from './search';
import { pageLength, PortLines, ShownEntries } from './shownEntries';

/** How many pages of older events are read to find an entry. */
const mostPagesBack = 100;

/** How many entries are sent to the page at once. */
const mostAtOnce = 1_000;

/** What gets the focus in a conversation that is shown. */
export type FocusOn = Extract<ToPage, { type: 'focus' }>['on'];

/** Whether the agent asks for something. What that is may not have been read yet; the page then waits for the card. */
const asks = ({ pending, execution }: Head) => pending.length > 0 || execution === 'waiting_for_confirmation';

/** The extension's side of a conversation's page: shows it the model, and keeps the draft of the composer. */
export class ConversationHost implements Composer {
  readonly attachments: Attachments;
  private draft: Composed;
  private readonly shown = new ShownEntries();
  private sentHead: Head | undefined;
  private sentOlder: boolean | undefined;
  /** Actions that wait, by their ids, as they were when the editor’s diff showed what they would edit. */
  private readonly opened = new Map<string, PendingAction>();
  private aside: Aside | null = null;
  private unsent = '';
  private isPageReady = false;
  private whenReady: (() => void)[] = [];
  /** What gets the focus once the page has loaded. */
  awaitedFocus: { readonly on: FocusOn | undefined } | undefined;
  /** The draft when the composer got the focus because nothing was known of the agent yet. */
  private focusedWith: Composed | undefined;
  private holder: Disposable | undefined;
  readonly searching: TranscriptSearch;
  readonly mentions: Mentions;
  private readonly following: readonly Disposable[];
  private readonly portLines = new PortLines();

  constructor(
    readonly model: ConversationModel,
    readonly ports: ConversationPorts,
  ) {
    const { attachments, ...draft } = ports.drafts.read();
    this.draft = draft;
    this.attachments = new Attachments(attachments);
    this.searching = new TranscriptSearch(model, (found) => this.post(found));
    this.mentions = new Mentions(
      () => ports.context,
      (found) => this.post(found),
      () => ports.skills(model.head.about.folder),
    );
    this.following = [
      model.onDidChange(() => this.update()),
      ports.watchPorts((port, after) => {
        this.portLines.add(port, after);
        this.update();
      }),
    ];
  }

  private get entries(): readonly Entry[] {
    return this.portLines.among(this.model.entries);
  }

  /** Opens the page of the port that a line is about. */
  async openPort(lineId: string): Promise<void> {
    const port = this.portLines.portOf(lineId);
    if (port !== undefined) await this.ports.openPort(port);
  }

  /** Reads and follows the conversation only while somebody sees it. */
  setVisible(visible: boolean): void {
    if (visible) this.holder ??= this.model.keepCurrent();
    else {
      this.holder?.dispose();
      this.holder = undefined;
      // The editor unloads a page that is hidden.
      this.isPageReady = false;
      this.focusedWith = undefined;
    }
  }

  /** The page has loaded, with the draft that it kept. */
  ready(draft: Composed): void {
    this.setDraft(draft);
    this.shown.clear();
    this.sentHead = undefined;
    this.sentOlder = undefined;
    this.isPageReady = true;
    this.showOptions();
    this.post({ type: 'begin', id: this.model.id, service: this.ports.service, draft: this.draft });
    this.showAttachments();
    this.setAside(this.aside);
    this.update();
    for (const act of this.whenReady.splice(0)) act();
  }

  /** Does something with the page now or once it has loaded. */
  whenShown(act: () => void): void {
    if (this.isPageReady) act();
    else this.whenReady.push(act);
  }

  /** Moves the focus to the entry, or to where the user most likely continues: the card, or the composer. */
  focus(on?: FocusOn): void {
    this.awaitedFocus = { on };
    this.whenShown(() => {
      this.awaitedFocus = undefined;
      const { head } = this.model;
      this.focusedWith = on || head.execution !== 'unknown' ? undefined : this.draft;
      this.post({ type: 'focus', on: on ?? (asks(head) ? 'pending' : 'composer') });
    });
  }

  showOptions(): void {
    this.post({ type: 'options', sendWith: this.ports.sendKey(), elsewhere: this.ports.elsewhere() });
  }

  /** Shows an answer until the user dismisses it. */
  setAside(aside: Aside | null): void {
    this.aside = aside;
    this.post({ type: 'aside', aside });
  }

  post(message: ToPage): void {
    if (this.isPageReady) this.ports.post(fittingMessage(message));
  }

  say(message: string): void {
    this.post({ type: 'notice', message });
  }

  private update(): void {
    if (!this.isPageReady) return;
    const { head } = this.model;
    if (head !== this.sentHead) {
      this.post({ type: 'head', head });
      this.tellReviewed();
    }
    if (head.areSecretsUnread === true && this.sentHead?.areSecretsUnread !== true)
      this.say(ofConversation.secretsUnread());
    this.sentHead = head;
    if (head.execution !== 'unknown') {
      if (this.focusedWith === this.draft && asks(head)) this.post({ type: 'focus', on: 'pending' });
      this.focusedWith = undefined;
    }
    this.showEntries();
    this.searching.update();
  }

  isPending(id: string): boolean {
    return this.model.head.pending.some((one) => one.id === id);
  }

  /** The user has this action’s edit before them in the editor’s diff. */
  reviewed(action: PendingAction): void {
    this.opened.set(action.id, action);
    this.tellReviewed();
  }

  private tellReviewed(): void {
    if (this.opened.size === 0) return;
    const shown = this.model.head.pending.filter((one) => same(this.opened.get(one.id), one));
    this.post({ type: 'reviewed', ids: shown.map(({ id }) => id) });
  }

  /** Sends what changed, and older entries down to index `from` of the model's. */
  private showEntries(from?: number): void {
    const { entries } = this;
    const { head } = this.model;
    const splice = this.shown.update(entries, from);
    const hasOlder = head.hasOlder || this.shown.from(entries) > 0;
    if (splice === undefined && hasOlder === this.sentOlder) return;
    this.sentOlder = hasOlder;
    const { at, removed, added } = splice ?? { at: 0, removed: 0, added: [] };
    this.post({ type: 'entries', at, removed, added: [...added], hasOlder });
  }

  /** Shows one more page of older entries, and reads it if the model doesn't have it. */
  async loadOlder(): Promise<void> {
    let problem = '';
    try {
      if (this.shown.from(this.entries) === 0) await this.model.loadOlder();
    } catch (error) {
      problem = this.problemOf(error);
    }
    this.showEntries(Math.max(0, this.shown.from(this.entries) - pageLength));
    this.post({ type: 'olderLoaded', problem });
  }

  /** Shows the transcript back to an entry, and scrolls there. */
  async goTo(id: string): Promise<void> {
    for (let pages = 0; pages < mostPagesBack; pages += 1) {
      if (this.entries.some((entry) => entry.id === id)) {
        await this.showBackTo(id);
        this.post({ type: 'reveal', id });
        return;
      }
      if (!this.model.head.hasOlder) return;
      await this.model.loadOlder();
    }
  }

  /** The same once the page and the entries are there. */
  goToOnceRead(id: string): void {
    const go = () => onceFilled(this.model, this.model.signal, () => this.goTo(id));
    this.whenShown(() => void go().catch((error: unknown) => this.say(this.problemOf(error))));
  }

  /** In parts, because thousands of entries at once would block both sides. */
  private async showBackTo(id: string): Promise<void> {
    for (;;) {
      const { entries } = this;
      // With some entries above it, so that there is something to scroll up to.
      const wanted = Math.max(0, entries.findIndex((entry) => entry.id === id) - pageLength / 2);
      const from = this.shown.from(entries);
      if (from <= wanted) return;
      this.showEntries(Math.max(wanted, from - mostAtOnce));
      await nextTurn();
    }
  }

  /** Takes the page's draft, unless ours is newer: after a crash, the editor gives a page what it had long before. */
  setDraft({ text, revision }: Composed): void {
    if (soundTime(revision) <= this.draft.revision) return;
    this.draft = { text, revision };
    this.keepDraft();
  }

  attach(quotes: readonly QuotedSelection[]): void {
    const isFull = !this.attachments.addQuotes(quotes);
    this.attachmentsChanged();
    if (isFull) this.say(l10n.t('Too many attachments. Remove some and try again.'));
  }

  attachmentsChanged(): void {
    this.keepDraft();
    this.showAttachments();
  }

  /** Forgets the draft, because its message is being sent. */
  emptyComposer(revision: number): void {
    this.draft = { text: '', revision };
    this.attachmentsChanged();
  }

  /** Puts a message that was taken back above what the composer has. */
  restore({ text, images }: TakenBack): void {
    const revision = nextRevision(this.draft.revision);
    this.draft = { text: putBackAbove(text, this.draft.text), revision };
    this.attachments.putBack(images);
    this.attachmentsChanged();
    this.post({ type: 'restoreText', text, revision });
  }

  /**
   * Has a message that couldn’t be sent in the composer, so that it can be changed and sent again; empty once it’s on its
   * way. What is sent again from elsewhere leaves the composer, unless the user has changed it.
   */
  setUnsent(text: string): void {
    if (text !== '' && this.isComposerEmpty) this.restore({ text, images: [] });
    else if (text === '' && this.unsent !== '' && this.unsent === this.draft.text) {
      this.emptyComposer(nextRevision(this.draft.revision));
      // The page begins again with what is there now.
      this.post({ type: 'restart' });
    }
    this.unsent = text;
  }

  /** The text in the composer, or what it was a moment ago. */
  get text(): string {
    return this.draft.text;
  }

  get repository(): string {
    const { repository, folder } = this.model.head.about;
    return repository === '' ? folder : repository;
  }

  /** Puts text above what the composer has. */
  insert(text: string): void {
    if (!this.hasRoomFor(text)) {
      this.say(l10n.t('The message would be too long.'));
      return;
    }
    this.restore({ text, images: [] });
    this.focus('composer');
  }

  get isComposerEmpty(): boolean {
    return this.draft.text === '' && this.attachments.all.length === 0;
  }

  /** Whether the composer can have this above what is in it. */
  hasRoomFor(text: string): boolean {
    return putBackAbove(text, this.draft.text).length <= longestText;
  }

  /** Puts text that wasn't accepted back into the page's composer, which tells when it can be kept. */
  giveBack(text: string): void {
    if (text !== '') this.post({ type: 'restoreText', text, revision: nextRevision(this.draft.revision) });
  }

  private keepDraft(): void {
    this.ports.drafts.write({ ...this.draft, attachments: [...this.attachments.all] });
  }

  private showAttachments(): void {
    this.post({ type: 'attachments', attachments: this.attachments.shown });
  }

  /** Does something to the agent, and tells the page how it ended. */
  async act(of: Action, change: () => Promise<Outcome>): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await change();
    } catch (error) {
      outcome = { kind: 'unknown', problem: this.problemOf(error) };
    }
    const problem = outcome.kind === 'done' ? '' : outcome.problem;
    const tell = () => this.post({ type: 'outcome', of, problem });
    // The tab may be hidden by now.
    if (outcome.kind === 'done') tell();
    else this.whenShown(tell);
  }

  /** Says that something couldn't be done. */
  failed(what: string, error: unknown): void {
    this.say(sentences(what, this.problemOf(error)));
  }

  private problemOf(error: unknown): string {
    const words = error instanceof Refusal ? error.message : errorWords(error);
    this.ports.log.warn(`Conversation: ${words}`);
    return words;
  }

  dispose(): void {
    this.searching.dispose();
    for (const one of this.following) one.dispose();
    this.setVisible(false);
  }
}

/**
 * The host of a tab. It may come after the tab was opened, and another may take its place before the page has loaded:
 * what the user asked for in the meantime isn’t lost.
 */
export class HostSlot {
  private wanted: ((host: ConversationHost) => void)[] = [];

  /** Undefined while the conversation can’t be reached. */
  host: ConversationHost | undefined;

  /** Does something with the host, now or once there is one. */
  use(act: (host: ConversationHost) => void): void {
    if (this.host) act(this.host);
    else this.wanted.push(act);
  }

  /** Ends the current host, if there is one. */
  clear(): void {
    const { host } = this;
    const focus = host?.awaitedFocus;
    if (focus) this.wanted.push((next) => next.focus(focus.on));
    this.host = undefined;
    host?.dispose();
  }

  /** Takes a host in place of none. */
  fill(host: ConversationHost): void {
    this.host = host;
    for (const act of this.wanted.splice(0)) act(host);
  }
}
