import type { Section } from '../../../shared/fields';
import type { SecretTarget } from '../shared/form';
import {
  parseHostMessage,
  type Choice,
  type FormAction,
  type HostMessage,
  type SaveResult,
  type ShownForm,
} from '../shared/messages';
import type { SecretIntention } from '../../../shared/settings';
import { WhenIdle } from '../../../core/kit/whenIdle';
import { addServerId, parkedId, providerId, saveId, serverId, targetId, type GoTo } from './ids';
import { changeCount, editsOf, type Form } from './model';
import { drawnNext, everythingDrawn, openedState, updatedState, saveOutcome, stopWaiting } from './opening';
import { type Kept, type FormPage, initialForm, isBusy, obstacle, type FormState } from './state';

/** Holds the page's state and draws after every change. */
export class SettingsApp {
  state: FormState = initialForm;
  private readonly reporting = new WhenIdle(() =>
    this.withForm((form) => this.post({ type: 'edits', ...this.reported(form) })),
  );
  private reviewed: boolean;
  /** Counts the user's changes: what the extension host shows may be older. */
  private revision = 0;

  constructor(
    private readonly page: FormPage,
    private kept: Kept | null,
  ) {
    this.reviewed = kept?.reviewed ?? false;
  }

  start(): void {
    this.page.draw();
    this.page.post({ type: 'ready', kept: this.kept?.edits ?? null });
  }

  /** Changes the state and draws the page. */
  set(change: Partial<FormState>): void {
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
    this.set(stopWaiting(this.state));
  }

  private handle(message: HostMessage): void {
    switch (message.type) {
      case 'loading':
        this.set(initialForm);
        return;
      case 'failed':
        this.set({ phase: { at: 'failed', message: message.message, nextStep: message.nextStep } });
        return;
      case 'form':
        this.show(message);
        return;
      case 'reveal':
        this.reveal(message.section);
        return;
      case 'test': {
        const { id, about, result, signsIn } = message;
        this.set({ tests: { ...this.state.tests, [id]: { about, result, signsIn } } });
        return;
      }
      case 'untested': {
        const { [message.id]: _before, ...tests } = this.state.tests;
        this.set({ tests });
        return;
      }
      case 'review':
        if (this.state.review) this.set({ review: { groups: message.groups, notes: message.notes } });
        return;
    }
  }

  private show(shown: ShownForm): void {
    const { phase } = this.state;
    const kept = this.kept?.edits.document === shown.document ? this.kept : null;
    this.kept = null;
    if (shown.working !== null) this.set({ review: null });
    if (phase.at === 'form' && phase.form.document === shown.document) {
      if (shown.working !== null) this.report();
      this.set(updatedState(this.state, phase.form, shown, shown.revision === this.revision));
    } else {
      this.report();
      this.revision = shown.revision;
      this.set(openedState(this.state, shown, kept));
    }
    this.keep();
    const { result } = shown;
    if (result) this.withForm((form) => this.endSave(form, result));
    if (shown.goTo) this.goToServer(shown.goTo);
    this.drawMore();
  }

  /** Draws what is below the window little by little, so that the form can be used before all of it is there. */
  private drawMore(): void {
    this.withForm(({ rows }) => {
      if (!drawnNext(this.state, rows.length)) return;
      this.page.later(() => {
        this.set(drawnNext(this.state, rows.length) ?? {});
        this.drawMore();
      });
    });
  }

  /** Stores what survives while the panel is hidden. */
  private keep(): void {
    this.withForm((form) => {
      const { document, steps, texts } = form;
      const { reviewed, state } = this;
      const edits = { document, steps, edits: editsOf(form) };
      const [open, addedProviders] = [[...state.open], [...state.addedProviders]];
      const hosts = Object.fromEntries(state.hosts);
      this.page.keep({ edits, texts, open, reviewed, addedProviders, hosts });
    });
  }

  private goToServer({ list, id }: NonNullable<ShownForm['goTo']>): void {
    if (list === 'servers') this.showAll();
    this.focus(list === 'servers' ? serverId(id, 'toggle') : parkedId(id, 'restore'), addServerId);
  }

  private endSave(form: Form, result: SaveResult): void {
    const { change, goTo } = saveOutcome(form, result, this.state.choices);
    this.set({ saving: false, ...change });
    if (goTo) this.goTo(goTo);
  }

  private withForm(use: (form: Form) => void): void {
    if (this.state.phase.at === 'form') use(this.state.phase.form);
  }

  /** Applies a user's edit. */
  change(edit: (form: Form) => Form): void {
    this.withForm((before) => {
      const form = edit(before);
      this.revision += 1;
      this.set({ phase: { at: 'form', form }, outcome: { kind: 'none' } });
      this.keep();
      this.reporting.wait();
    });
  }

  /** Tells the extension host about edits it doesn't know yet. */
  report(): void {
    this.reporting.now();
  }

  private reported(form: Form) {
    return { steps: form.steps, edits: editsOf(form), revision: this.revision };
  }

  /** Saves. The first save of a panel shows a review instead, whose Save button continues. */
  save(): void {
    this.withForm((form) => {
      const { review } = this.state;
      if (isBusy(this.state) || review?.groups === null) return;
      if (changeCount(form) === 0) {
        // The status says why.
        this.set({ outcome: { kind: 'none' } });
        return;
      }
      const hindrance = obstacle(this.state, form);
      if (hindrance) {
        const { message, at } = hindrance;
        this.set({ saveWasTried: true, outcome: { kind: 'notSaved', message }, review: null });
        this.goTo(at);
        return;
      }
      if (!this.reviewed && review === null) {
        this.openReview();
        return;
      }
      this.reviewed ||= review !== null;
      this.report();
      this.keep();
      this.set({ saveWasTried: true, saving: true, review: null });
      this.post({ type: 'save', ...this.reported(form), choices: this.state.choices });
    });
  }

  /** Shows what a save would change. */
  openReview(): void {
    this.withForm((form) => {
      if (isBusy(this.state)) return;
      this.report();
      this.set({ review: { groups: null, notes: [] } });
      this.post({ type: 'review', ...this.reported(form) });
    });
  }

  closeReview(): void {
    if (this.state.review) this.set({ review: null });
  }

  /** Shows a control that a search or a closed row may hide, and focuses it. */
  goTo(target: GoTo): void {
    this.showAll();
    if (target.at === 'mcp') {
      this.set({ open: new Set(this.state.open).add(target.id) });
      this.focus(targetId(target), targetId({ ...target, member: 'toggle' }));
    } else {
      this.focus(targetId(target));
    }
  }

  /** Asks the extension host for something its next messages answer; reports every edit first. */
  ask(action: FormAction): void {
    if (isBusy(this.state)) return;
    this.report();
    this.post(action);
  }

  /** Reads the settings again after that failed. */
  retry(): void {
    this.page.post({ type: 'retry' });
  }

  /** Sends a message about the settings on screen and says which these are: the host may have others by then. */
  private post(action: FormAction): void {
    this.withForm(({ document }) => this.page.post({ ...action, document }));
  }

  choose(key: string, choice: Choice): void {
    this.set({ choices: { ...this.state.choices, [key]: choice } });
  }

  /** Chooses the same side for every conflict. */
  chooseAll(choice: Choice): void {
    const chosen = Object.fromEntries(this.state.conflicts.map(({ key }) => [key, choice]));
    this.set({ choices: { ...this.state.choices, ...chosen } });
  }

  dismissNotices(): void {
    this.set({ notices: [] });
    this.post({ type: 'dismiss', list: 'notices' });
    this.page.focus(saveId);
  }

  dismissServerNotices(): void {
    this.set({ serverNotices: { words: [], failed: false } });
    this.post({ type: 'dismiss', list: 'serverNotices' });
  }

  /** Asks for a new value of a secret, clears it or keeps it. */
  intend(target: SecretTarget, intention: SecretIntention): void {
    const types = { replace: 'replaceSecret', clear: 'clearSecret', keep: 'keepSecret' } as const;
    this.ask({ type: types[intention], target });
  }

  setOpen(id: string, open: boolean): void {
    const next = new Set(this.state.open);
    if (open) next.add(id);
    else next.delete(id);
    this.set({ open: next });
    this.keep();
  }

  /** Ends every search, so that what comes next can be seen. */
  showAll(): void {
    this.set({ search: '', filter: '' });
  }

  focus(...ids: string[]): void {
    // It may be in a part that isn't drawn yet.
    this.set(everythingDrawn);
    this.page.focus(...ids);
  }

  reveal(section: Section): void {
    this.set(everythingDrawn);
    this.page.reveal(section);
  }

  /** Adds a row; nothing is stored before it gets a token. */
  addProvider(name: string): void {
    this.set({ addedProviders: [...new Set([...this.state.addedProviders, name])], search: '' });
    this.keep();
    this.focus(providerId(name, 'host'));
  }

  /** Keeps what is typed as the host of a provider; it's stored only when the user applies it. */
  setHost(name: string, text: string): void {
    this.set({ hosts: new Map(this.state.hosts).set(name, text) });
    this.keep();
  }
}
