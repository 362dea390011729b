import * as l10n from '@vscode/l10n';
import { markOf } from '../../../shared/actionMark';
import type { FromPage } from '../../../shared/conversationFromPage';
import {
  parseToPage,
  putBackAbove,
  type Action,
  type Composed,
  type KeptPage,
  type ToPage,
} from '../../../shared/conversationMessages';
import { nextRevision } from '../../../shared/soundTime';
import { effectWords } from '../../../shared/transcript';
import { longestText } from '../../../shared/bounded';
import type { SearchOptions } from '../shared/searchPattern';
import { plainText } from '../../../shared/plainText';
import { WhenIdle } from '../../../core/kit/whenIdle';
import { Files } from './files';
import { Mentioning } from './mentioning';
import type { TranscriptPage } from './page';
import {
  begunState,
  cardFor,
  initialConversation,
  noFolders,
  keptState,
  toggled,
  type Card,
  type ConversationState,
} from './state';
import { entryOf, filterPasses, type Filter } from './items';
import { tooLongWords, waitingTitle } from './words';
import { same } from '../../../shared/same';

type Receivers = { [Type in ToPage['type']]: (message: Extract<ToPage, { type: Type }>) => void };

/** Holds the page's state and draws after every change. */
export class ConversationApp {
  state: ConversationState = initialConversation;
  private readonly reporting = new WhenIdle(() => {
    // The extension host doesn't take longer ones; the user has been told to shorten it.
    if (this.tooLong === 0) this.post({ type: 'draft', ...this.draft });
  });
  /** The place to go back to once there are entries. */
  private left: KeptPage['place'];
  /** The place to go back to, while its entry is asked for. */
  private restoring: KeptPage['place'] = null;
  readonly mentioning: Mentioning = new Mentioning(this);
  readonly files = new Files((message) => this.post(message));
  private readonly searching = new WhenIdle(() => {
    const { search } = this.state;
    if (search) this.post({ type: 'search', query: search.query, ...this.state.finding });
  });

  constructor(
    private readonly page: TranscriptPage,
    private readonly kept: KeptPage | null,
  ) {
    this.left = kept?.place ?? null;
  }

  start(): void {
    if (this.kept) this.state = keptState(this.kept);
    this.page.draw();
    this.ready();
  }

  private ready(): void {
    const none = { text: '', revision: 0 };
    this.post({ type: 'ready', draft: this.tooLong > 0 ? none : this.draft });
  }

  /** Changes the state and draws the page. */
  set(change: Partial<ConversationState>): void {
    this.state = { ...this.state, ...change };
    this.page.draw();
  }

  post(message: FromPage): void {
    this.page.post(message);
  }

  /** Stores what has to survive while the page is hidden. */
  keep(): void {
    const { id, service, text, revision, filter, card } = this.state;
    const reason = card.answered ? null : card.reason;
    const seen = [...card.seenActions];
    // A place that isn't restored yet is kept.
    const place = this.left ?? this.page.place();
    if (id !== '') this.page.keep({ id, service, draft: text, revision, place, filter, reason, seen });
  }

  private get draft(): Composed {
    const { text, revision } = this.state;
    return { text, revision };
  }

  /** Takes a message from the extension host. */
  receive(data: unknown): void {
    const parsed = parseToPage(data);
    if (!parsed.ok) {
      this.post({ type: 'refused', what: parsed.reason });
      return;
    }
    const receive = this.receivers[parsed.message.type] as (message: ToPage) => void;
    receive(parsed.message);
  }

  private readonly receivers: Receivers = {
    begin: (message) => {
      const { search } = this.state;
      // The tab of a start has become that of its conversation.
      if (message.id === (this.state.id || this.kept?.id)) this.left ??= this.page.place();
      else this.left = null;
      this.files.forget();
      this.set(begunState(this.state, message));
      this.keep();
      if (search) this.post({ type: 'search', query: search.query, ...this.state.finding });
    },
    options: ({ sendWith, elsewhere }) => this.set({ sendWith, elsewhere }),
    restart: () => this.ready(),
    unavailable: (unavailable) => this.set({ unavailable }),
    head: ({ head }) => {
      const card = cardFor(head.pending, this.state.card);
      if (card !== this.state.card && card.signature !== '')
        this.page.announce(waitingTitle(head.pending.length));
      // Others may wait by the same ids.
      const reviewed = card === this.state.card ? this.state.reviewed : initialConversation.reviewed;
      // Other folders, and every entry is drawn again.
      const folders = same(head.folders, this.state.folders)
        ? this.state.folders
        : (head.folders ?? noFolders);
      this.set({ head, card, reviewed, folders });
    },
    reviewed: ({ ids }) => this.set({ reviewed: new Set(ids) }),
    entries: (message) => this.takeEntries(message),
    olderLoaded: ({ problem }) => {
      const failed = problem !== '';
      this.set({ loadingOlder: false, olderFailed: failed, ...(failed && this.withNotice(problem)) });
    },
    found: ({ query, ids, searched }) => {
      const { search } = this.state;
      if (search?.query !== query) return;
      const isThere = search.current !== undefined && ids.includes(search.current);
      const current = isThere ? search.current : ids.at(-1);
      this.set({ search: { query, ids, searched, current } });
      if (current !== undefined && !isThere) this.goTo(current);
    },
    reveal: ({ id }) => this.revealed(id),
    restoreText: ({ text, revision }) => {
      // The user may have typed since the extension host saw it.
      const own = this.draft;
      this.compose(putBackAbove(text, own.text), Math.max(revision, own.revision));
    },
    aside: ({ aside }) => {
      if (aside && aside !== this.state.aside) this.page.announce(l10n.t('Answer on the Side'));
      this.set({ aside });
    },
    context: (found) => this.mentioning.found('#', found),
    skills: (found) => this.mentioning.found('/', found),
    attachments: ({ attachments }) => this.set({ attachments }),
    pictures: ({ id, uris }) => {
      this.page.hold();
      this.set({ pictures: new Map([...this.state.pictures, [id, uris]]) });
    },
    located: ({ paths }) => this.set({ here: new Set([...this.state.here, ...paths]) }),
    move: ({ to }) => {
      if (to === 'end') this.toEnd();
      else this.page.move(to === 'next' ? 1 : -1);
    },
    focus: ({ on }) => this.page.focus(on === 'pending' ? 'pending-title' : on),
    outcome: ({ of, problem }) => this.takeOutcome(of, problem),
    notice: ({ message }) => this.set(this.withNotice(message)),
  };

  private takeEntries({ at, removed, added, hasOlder }: Extract<ToPage, { type: 'entries' }>): void {
    const before = this.state.entries;
    const entries = before.toSpliced(at, removed, ...added);
    const last = before.at(-1);
    const known = new Set(before.slice(at, at + removed).map(({ id }) => id));
    const appended = last ? added.filter((one) => !known.has(one.id) && one.at >= last.at) : [];
    const shown = appended.filter(filterPasses[this.state.filter]);
    const unseen = this.page.place() === null ? 0 : this.state.unseen + shown.length;
    this.set({ entries, hasOlder, unseen });
    for (const entry of appended)
      if (entry.kind === 'message' && entry.from === 'agent')
        this.page.announce(l10n.t('Agent: {0}', plainText(entry.text.text, 300)));
    const { left } = this;
    if (entries.length === 0 || !left) return;
    this.left = null;
    this.restoring = left;
    this.goTo(entryOf(left.id));
  }

  private takeOutcome(of: Action, problem: string): void {
    const busy = toggled(this.state.busy, of, false);
    const isAnswer = of === 'approve' || of === 'reject';
    const card = isAnswer && problem !== '' ? { ...this.state.card, answered: false } : this.state.card;
    const { outgoing = [], problem: known } = this.state.head ?? {};
    this.set({ busy, card });
    if (problem === '') return;
    // One fault is said in one place: where it's known, or beside the message that wasn't sent.
    if (problem === known || outgoing.some((one) => one.problem === problem)) this.page.announce(problem);
    else this.say(problem);
  }

  private withNotice(message: string): Pick<ConversationState, 'notices'> {
    this.page.announce(message);
    return { notices: [...this.state.notices.filter((one) => one !== message), message] };
  }

  /** Reads one more page of older entries, unless that failed before. */
  wantOlder(): void {
    if (!this.state.olderFailed) this.loadOlder();
  }

  /** Reads one more page of older entries. */
  loadOlder(): void {
    if (!this.state.hasOlder || this.state.loadingOlder) return;
    this.set({ loadingOlder: true, olderFailed: false });
    this.post({ type: 'loadOlder' });
  }

  /** Shows an entry, which may be among older ones. */
  goTo(id: string): void {
    if (this.state.entries.some((entry) => entry.id === id)) this.revealed(id);
    else this.post({ type: 'goTo', id });
  }

  private revealed(id: string): void {
    const { restoring } = this;
    this.restoring = null;
    const { entries, filter, search, open } = this.state;
    if (search?.current === id) this.set({ filter: 'all', open: toggled(open, id, true) });
    else if (entries.some((one) => one.id === id && !filterPasses[filter](one))) this.setFilter('all');
    if (restoring && entryOf(restoring.id) === id) this.page.reveal(restoring.id, restoring.offset);
    else this.page.reveal(id);
  }

  setFilter(filter: Filter): void {
    this.set({ filter });
    this.keep();
  }

  setOpen(key: string, isOpen: boolean): void {
    this.page.hold();
    this.set({ open: toggled(this.state.open, key, isOpen) });
  }

  openSearch(): void {
    this.set({ search: this.state.search ?? { query: '', ids: [], current: undefined, searched: 'all' } });
    this.page.focus('search');
  }

  closeSearch(): void {
    const isFound = this.state.search?.current !== undefined;
    this.set({ search: null });
    this.post({ type: 'search', query: '' });
    this.page.leaveSearch(isFound);
  }

  setQuery(text: string): void {
    const query = text.slice(0, longestText);
    this.set({ search: { query, ids: [], current: undefined, searched: 'going' } });
    this.searching.wait();
  }

  /** Searches again with one of the options turned on or off. */
  toggleFinding(option: keyof SearchOptions): void {
    const { finding, search } = this.state;
    this.set({ finding: { ...finding, [option]: !finding[option] } });
    this.setQuery(search?.query ?? '');
  }

  /** Goes to the next or previous entry that was found, wrapping around at the ends. */
  step(by: 1 | -1): void {
    const { search } = this.state;
    if (!search || search.ids.length === 0) return;
    const at = search.ids.indexOf(search.current ?? '');
    const current = search.ids.at((at + by) % search.ids.length);
    if (current === undefined) return;
    this.set({ search: { ...search, current } });
    this.goTo(current);
  }

  setText(text: string): void {
    this.compose(text, this.state.revision);
  }

  /** @param before the newest revision before this change */
  private compose(text: string, before: number): void {
    this.set({ text, revision: nextRevision(before) });
    this.keep();
    this.reporting.wait();
  }

  /** Tells the extension host about a draft that it doesn't know yet. */
  report(): void {
    this.reporting.now();
  }

  /** By how many characters the composer's text is too long to be sent or kept. */
  get tooLong(): number {
    return Math.max(0, this.state.text.length - longestText);
  }

  get canSend(): boolean {
    const { text, attachments, head } = this.state;
    if (this.tooLong > 0) return false;
    return (
      (text.trim() !== '' || attachments.length > 0) && head !== null && head.sendEffect !== 'impossible'
    );
  }

  send(): void {
    const { text, head } = this.state;
    if (!this.canSend) {
      if (text.trim() !== '' && head) this.page.announce(effectWords[head.sendEffect]());
      return;
    }
    const revision = nextRevision(this.state.revision);
    this.reporting.cancel();
    this.set({ text: '', revision });
    this.keep();
    this.post({ type: 'send', text, revision });
    this.page.toEnd();
  }

  setCard(change: Partial<Card>): void {
    this.set({ card: { ...this.state.card, ...change } });
    this.keep();
  }

  /** Scrolls to the first part of what waits that wasn't on screen. */
  showRest(): void {
    this.page.showRest();
  }

  /** Approves or rejects what the card shows. */
  answer(how: 'approve' | 'reject'): void {
    const { head, card, busy } = this.state;
    if (!head || card.answered || busy.has(how)) return;
    if (how === 'approve' && (!card.settled || head.proof !== 'whole')) return;
    const ids = head.pending.map(({ id }) => id);
    const reason = card.reason ?? '';
    if (reason.length > longestText) {
      this.say(tooLongWords(reason.length - longestText));
      return;
    }
    this.set({ busy: toggled(busy, how, true), card: { ...card, answered: true } });
    this.keep();
    this.post(
      how === 'approve' ? { type: how, ids, marks: head.pending.map(markOf) } : { type: how, ids, reason },
    );
    // The agent stops until the next message.
    if (how === 'reject') this.page.focus('composer');
  }

  steer(how: 'pause' | 'interrupt' | 'resume'): void {
    if (this.state.busy.has(how)) return;
    this.set({ busy: toggled(this.state.busy, how, true) });
    this.post({ type: how });
  }

  /** Does what's offered beside the words about what stands in the way. */
  nextStep(): void {
    const { busy, unavailable } = this.state;
    if (busy.has('nextStep')) return;
    // What the button of an unavailable conversation asks for may be canceled, and wanted again.
    if (!unavailable) this.set({ busy: toggled(busy, 'nextStep', true) });
    this.post({ type: 'nextStep' });
  }

  focus(id: string): void {
    this.page.focus(id);
  }

  /** Tells the user something. */
  say(message: string): void {
    this.set(this.withNotice(message));
  }

  /** Notes whether the end is in view. */
  setAtEnd(isAtEnd: boolean): void {
    if (isAtEnd !== this.state.isAtEnd) this.set({ isAtEnd });
  }

  toEnd(): void {
    this.set({ unseen: 0, isAtEnd: true });
    this.page.toEnd();
  }

  dismissNotices(): void {
    this.set({ notices: [] });
    this.page.focus('composer');
  }
}
