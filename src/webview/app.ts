import * as l10n from '@vscode/l10n';
import type { Section } from '../shared/fields';
import type { SecretTarget } from '../shared/form';
import {
  parseHostMessage,
  type Choice,
  type HostMessage,
  type KeptEdits,
  type SaveResult,
  type WebviewMessage,
} from '../shared/messages';
import type { ServerRequest } from '../shared/serverMessages';
import type { SecretIntention } from '../shared/settings';
import { targetId } from './ids';
import { changeCount, editsOf, openForm, setSecret, withUnreadable, type Form } from './model';
import { outcomeOf } from './outcome';
import { receiveServerEvent, type ServerTools } from './serverTools';
import { initialState, isBusy, obstacle, type ProviderRow, type State } from './state';

/** What survives while the panel is hidden. */
export interface Kept {
  edits: KeptEdits;
  texts: Form['texts'];
  open: string[];
  /** Whether what a save would change was shown before one. */
  reviewed: boolean;
}

/** The page around the form; a test replaces it. */
export interface Page {
  post: (message: WebviewMessage) => void;
  keep: (kept: Kept | null) => void;
  draw: () => void;
  /** Focuses the first element of these ids that exists, once it is drawn. */
  focus: (...ids: string[]) => void;
  reveal: (section: Section) => void;
}

/** How long the form waits for more typing before it reports the edits. */
const reportAfterMs = 200;

/** Holds the page's state; draws after every change. */
export class App {
  state: State = initialState;
  private reportTimer: ReturnType<typeof setTimeout> | undefined;
  private reviewed: boolean;

  constructor(
    private readonly page: Page,
    private kept: Kept | null,
  ) {
    this.reviewed = kept?.reviewed ?? false;
  }

  start(): void {
    this.page.draw();
    this.page.post({ type: 'ready', kept: this.kept?.edits ?? null });
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.page.draw();
  }

  /** Takes a message from the extension host. */
  receive(data: unknown): void {
    const parsed = parseHostMessage(data);
    if (parsed.ok) {
      this.handle(parsed.message);
      return;
    }
    this.page.post({ type: 'refused', what: parsed.reason });
    if (this.state.phase.at === 'loading') {
      const message = l10n.t('The form did not understand what the extension sent.');
      this.set({ phase: { at: 'failed', message, nextStep: l10n.t('Try again, or look into the log.') } });
    }
  }

  private handle(message: HostMessage): void {
    switch (message.type) {
      case 'loading':
        this.set(initialState);
        return;
      case 'failed':
        this.set({ phase: { at: 'failed', message: message.message, nextStep: message.nextStep } });
        return;
      case 'model':
        this.open(message);
        return;
      case 'reveal':
        this.page.reveal(message.section);
        return;
      case 'secret':
        this.change((form) => setSecret(form, message.target, message.intention));
        return;
      case 'suggestions':
        this.set({ suggestions: { ...this.state.suggestions, [message.field]: message.values } });
        return;
      case 'providers':
        this.withForm((form) => {
          const model = { ...form.model, providers: message.providers };
          this.set({ phase: { at: 'form', form: { ...form, model } } });
        });
        return;
      case 'provider':
        this.setProvider(message.name, ({ hostText }) => ({
          busy: message.busy,
          error: message.error,
          ...(hostText !== undefined && (message.busy || message.error !== null) ? { hostText } : {}),
        }));
        return;
      case 'saving':
        this.report();
        this.set({ saving: true, notices: [], review: null });
        return;
      case 'saveResult':
        this.endSave(message.result);
        return;
      case 'servers':
        receiveServerEvent(this, message.event);
        return;
      case 'review':
        if (this.state.review) this.set({ review: { groups: message.groups, notes: message.notes } });
        return;
    }
  }

  private open(message: Extract<HostMessage, { type: 'model' }>): void {
    const kept = this.kept?.edits.document === message.document ? this.kept : null;
    this.kept = null;
    clearTimeout(this.reportTimer);
    this.reportTimer = undefined;
    const { phase, suggestions, saving, tools, notices } = this.state;
    // What is done at once leaves the rest of the form as it is.
    const isSameForm = tools.working !== null && phase.at === 'form';
    const opened = openForm(message, kept?.texts);
    const form = isSameForm ? withUnreadable(opened, phase.form) : opened;
    this.set({
      ...initialState,
      suggestions,
      saving,
      tools,
      phase: { at: 'form', form },
      notices: isSameForm ? notices : message.notices,
      offers: message.offers,
      // The servers that stay are found again by their ids.
      open: new Set(kept?.open ?? this.state.open),
    });
    this.page.keep(this.keptNow(form));
  }

  private keptNow(form: Form): Kept {
    const edits = { document: form.document, edits: editsOf(form) };
    return { edits, texts: form.texts, open: [...this.state.open], reviewed: this.reviewed };
  }

  private endSave(result: SaveResult): void {
    const { change, goTo } = outcomeOf(this.state, result);
    this.set(change);
    if (goTo) this.goTo(goTo);
  }

  private withForm(use: (form: Form) => void): void {
    if (this.state.phase.at === 'form') use(this.state.phase.form);
  }

  /** Applies an edit of the user. */
  change(edit: (form: Form) => Form): void {
    this.withForm((before) => {
      const form = edit(before);
      this.set({ phase: { at: 'form', form }, outcome: { kind: 'none' } });
      this.page.keep(this.keptNow(form));
      clearTimeout(this.reportTimer);
      this.reportTimer = setTimeout(() => this.report(), reportAfterMs);
    });
  }

  /** Tells the extension host about edits that it does not know yet. */
  report(): void {
    if (this.reportTimer === undefined) return;
    clearTimeout(this.reportTimer);
    this.reportTimer = undefined;
    this.withForm((form) => this.page.post({ type: 'edits', edits: editsOf(form) }));
  }

  /** Saves; before the first save, what it would change is shown, and saving there goes on. */
  save(): void {
    this.withForm((form) => {
      const { review } = this.state;
      if (isBusy(this.state) || review?.groups === null) return;
      const hindrance = obstacle(this.state, form);
      if (hindrance) {
        const outcome = { kind: 'notSaved', message: hindrance.message } as const;
        this.set({ saveWasTried: true, outcome, review: null });
        this.goTo(hindrance.at);
        return;
      }
      if (!this.reviewed && review === null && changeCount(form) > 0) {
        this.openReview();
        return;
      }
      this.reviewed ||= review !== null;
      this.report();
      this.page.keep(this.keptNow(form));
      this.set({ saveWasTried: true, saving: true, notices: [], review: null });
      this.page.post({ type: 'save', edits: editsOf(form), choices: this.state.choices });
    });
  }

  /** Shows what a save would change. */
  openReview(): void {
    this.withForm((form) => {
      if (isBusy(this.state)) return;
      this.report();
      this.set({ review: { groups: null, notes: [] } });
      this.page.post({ type: 'review', edits: editsOf(form) });
    });
  }

  closeReview(): void {
    if (this.state.review) this.set({ review: null });
  }

  private goTo(target: Parameters<typeof targetId>[0]): void {
    if (target.at === 'mcp') {
      this.set({ open: new Set(this.state.open).add(target.id), filter: '' });
      this.page.focus(targetId(target), targetId({ ...target, member: 'toggle' }));
    } else {
      this.page.focus(targetId(target));
    }
  }

  /** Asks the extension host for something that its next messages answer; it knows of every edit then. */
  ask(message: WebviewMessage): void {
    this.report();
    this.page.post(message);
  }

  choose(key: string, choice: Choice): void {
    this.set({ choices: { ...this.state.choices, [key]: choice } });
  }

  /** Chooses the same side for every conflict. */
  chooseAll(choice: Choice): void {
    this.set({ choices: Object.fromEntries(this.state.conflicts.map(({ key }) => [key, choice])) });
  }

  dismissNotices(): void {
    this.set({ notices: [] });
    this.page.focus('save');
  }

  /** Asks for a new value of a secret, or says what else shall become of it. The answer is a `secret` message. */
  intend(target: SecretTarget, intention: SecretIntention): void {
    this.report();
    const types = { replace: 'replaceSecret', clear: 'clearSecret', keep: 'keepSecret' } as const;
    this.page.post({ type: types[intention], target });
  }

  setOpen(id: string, open: boolean): void {
    const next = new Set(this.state.open);
    if (open) next.add(id);
    else next.delete(id);
    this.set({ open: next });
    this.withForm((form) => this.page.keep(this.keptNow(form)));
  }

  setFilter(filter: string): void {
    this.set({ filter });
  }

  focus(...ids: string[]): void {
    this.page.focus(...ids);
  }

  reveal(section: Section): void {
    this.page.reveal(section);
  }

  setProvider(name: string, change: (row: ProviderRow) => ProviderRow): void {
    const row = this.state.providers[name] ?? { busy: false, error: null };
    this.set({ providers: { ...this.state.providers, [name]: change(row) } });
  }

  setTools(change: Partial<ServerTools>): void {
    this.set({ tools: { ...this.state.tools, ...change } });
  }

  /** Asks the extension host to do something with servers; it knows of every edit then. */
  request(request: ServerRequest): void {
    if (isBusy(this.state)) return;
    this.report();
    this.page.post({ type: 'servers', request });
  }
}
