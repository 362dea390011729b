import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import type { Section } from '../../../shared/fields';
import { type FormEdits, type SecretTarget, withIntention } from '../shared/form';
import { describeError, errorWords } from '../../../editor/errorText';
import type { KeptEdits } from '../shared/messages';
import { same } from '../../../shared/same';
import type { SecretIntention } from '../../../shared/settings';
import { SettingsDocument } from '../model/document';
import { storeDrafts, takeDrafts } from './drafts';
import {
  editsOn,
  formOf,
  isEmpty,
  modelOf,
  noEdits,
  noServerNotices,
  overlaid,
  withSteps,
  type OpenForm,
  type EditsStep,
  type Ending,
  type JustEnded,
} from './openForm';
import type { FormPorts } from './ports';
import { readablePost, shownForm, OperatorServers, suggest } from './sending';
import { RunningTests } from './servers/runningTests';
import { updateWords } from './words';

/**
 * Owns the form: reads the settings, holds the user's edits and whatever else is shown, and sends all of it in one
 * message whenever something changes. The page keeps only what is half typed.
 */
export class FormHost {
  open: OpenForm | undefined;
  private loading: AbortController | undefined;
  /** The client used for the last reading, and why it failed, if it did. */
  last: { client: ApiClient | undefined; failure?: unknown } | undefined;
  /** What the form was opened for, until it's shown. */
  private onceShown: { section?: Section; act?: (open: OpenForm) => void } = {};
  /** Notices to show once the form shows something. */
  private unsaid: string[] = [];
  /** False while the page is hidden: then nothing is read for it. */
  private live = false;
  /** What ended while the page was hidden. */
  private unseen: JustEnded = {};
  /** Services whose draft was made in this form: it comes back by itself, and that of an earlier form is offered. */
  private readonly ownDrafts = new Set<string>();
  readonly tests = new RunningTests(
    (message) => this.ports.post(message),
    () => this.live,
  );
  readonly operators = new OperatorServers();

  readonly ports: FormPorts;

  /** `wasReloaded` is true for a form that was on screen when the window was reloaded: its draft is its own. */
  constructor(
    ports: FormPorts,
    private wasReloaded = false,
  ) {
    this.ports = { ...ports, post: readablePost(ports) };
  }

  /** The form is shown, for the first time or again; `kept` is its state from before it was hidden. */
  async ready(kept: KeptEdits | null): Promise<void> {
    this.live = true;
    const { open } = this;
    if (open === undefined || open.client !== this.ports.client()) {
      await this.load();
      return;
    }
    if (kept) this.take(kept, 0);
    open.revision = 0;
    this.show();
    this.tests.tellAgain();
    await this.refresh();
  }

  /** The page can't receive messages until the next `ready`. */
  hidden(): void {
    this.live = false;
  }

  /** Brings a section into view, now or once the form is shown. */
  reveal(section: Section): void {
    this.onceShown.section = section;
    this.revealNow();
  }

  /** Does something with the form, now or once it's shown. */
  whenShown(act: (open: OpenForm) => void): void {
    this.onceShown.act = act;
    this.revealNow();
  }

  private revealNow(): void {
    const { open } = this;
    if (!this.live || open === undefined) return;
    const { section, act } = this.onceShown;
    this.onceShown = {};
    if (section !== undefined) this.ports.post({ type: 'reveal', section });
    act?.(open);
  }

  /**
   * The session changed. With another client or none, nothing of the previous one stays on screen. With the same
   * client, whatever couldn't be read is read again once the service answers.
   */
  async sessionChanged(isReady: boolean): Promise<void> {
    const previous = this.open;
    const client = this.ports.client();
    const isSame = client !== undefined && client === this.last?.client;
    if (isSame && !(this.last?.failure && isReady)) return;
    if (!this.live) {
      // Before the first reading, there's only what the form was opened for.
      if (this.last) this.forget();
      return;
    }
    await this.load();
    const { open } = this;
    if (!previous || !open || isEmpty(previous.edits) || previous.client.baseUrl === open.client.baseUrl)
      return;
    const service = previous.client.baseUrl;
    this.say(l10n.t('Your unsaved changes for {0} are kept. They come back when you reconnect.', service));
  }

  /**
   * Reads the settings and shows them. Edits that were made in this form are on them again; a draft that an earlier one
   * left is offered.
   * @param ending of the save after which they are read
   */
  async load({ result = null, notices = [] }: Pick<Ending, 'result' | 'notices'> = {}): Promise<void> {
    this.tests.end();
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.open = undefined;
    this.unseen = {};
    const client = this.ports.client();
    const last: NonNullable<typeof this.last> = { client };
    this.last = last;
    if (client === undefined) {
      this.ports.post({ type: 'failed', ...this.ports.noClient() });
      return;
    }
    this.ports.post({ type: 'loading' });
    try {
      const document = await SettingsDocument.load(client, this.ports.safeguards, loading.signal);
      if (this.isOver(loading)) return;
      const open = formOf(client, document);
      const service = client.baseUrl;
      takeDrafts(open, this.ports.drafts.read(service), this.wasReloaded || this.ownDrafts.has(service));
      this.wasReloaded = false;
      this.open = open;
      const update = this.ports.takeUpdate(service) ? [updateWords()] : [];
      open.notices = [...open.notices, ...notices, ...update];
      this.setEdits(open.edits);
      this.show({ result });
      void suggest(this, client, loading.signal);
    } catch (error) {
      if (this.isOver(loading)) return;
      const words = describeError(error);
      last.failure = error;
      this.ports.log.warn(`Couldn’t read the settings: ${words.message}`);
      this.ports.post({ type: 'failed', ...words });
    }
  }

  /** True if another reading or the end of the form made this one obsolete. */
  private isOver(loading: AbortController): boolean {
    return this.loading !== loading;
  }

  /** Shows how a change of the service ended. If the form shows another connection by now, only stores the draft. */
  settle(previous: OpenForm, ending: Ending): void {
    const { document, isEarlier, edits = noEdits, notices, serverNotices, ...news } = ending;
    const { open } = this;
    if (open?.client !== previous.client) {
      if (document) storeDrafts(this.ports, { ...previous, document, edits });
      return;
    }
    const next = document ? formOf(open.client, document, open, isEarlier) : open;
    if (notices) next.notices = notices;
    if (serverNotices) next.serverNotices = serverNotices;
    this.open = next;
    if (document) this.setEdits(edits);
    this.show(news);
  }

  /** Sends everything the form shows. A hidden page gets the news once it's shown again. */
  show(news: JustEnded = {}): void {
    const { open } = this;
    if (open === undefined) return;
    open.notices = [...open.notices, ...this.unsaid.splice(0)];
    const ended = { ...this.unseen, ...news };
    this.unseen = this.live ? {} : ended;
    this.tests.forgetPreviousKeys(open);
    this.ports.post({ ...shownForm(this, open), result: null, goTo: null, ...ended });
    this.revealNow();
  }

  /** Shows a notice, now or once the form is shown. */
  say(message: string): void {
    this.unsaid.push(message);
    this.show();
  }

  /** The user has read these notices. */
  dismiss(list: 'notices' | 'serverNotices'): void {
    if (this.open)
      Object.assign(this.open, list === 'notices' ? { notices: [] } : { serverNotices: noServerNotices });
  }

  /** Reloads the settings without disturbing changes the user has started. Resolves to words if they can't be read. */
  async refresh(): Promise<string | undefined> {
    const { open } = this;
    if (open === undefined || !isEmpty(open.edits)) return undefined;
    const { providers } = open;
    try {
      const document = await SettingsDocument.load(open.client, this.ports.safeguards, this.loading?.signal);
      if (this.open !== open || !isEmpty(open.edits) || open.working !== null) return undefined;
      const next = formOf(open.client, document, open, open.providers !== providers);
      if (same(modelOf(next), modelOf(open))) return undefined;
      this.open = { ...next, notices: open.notices, serverNotices: open.serverNotices, replaced: open };
      this.show();
      return undefined;
    } catch (error) {
      this.ports.log.warn(`Couldn’t reload the settings: ${errorWords(error)}`);
      return l10n.t('Couldn’t reload the settings from the service. {0}', errorWords(error));
    }
  }

  /**
   * Takes edits that the page reports. Edits on the reading that a refresh has just replaced are carried over: they were
   * typed while the new one was on its way to the page. False if they come too late.
   */
  take(reported: KeptEdits, revision: number): boolean {
    const { open } = this;
    if (open === undefined) return false;
    if (open.key === reported.document) {
      open.revision = revision;
      this.setEdits(withSteps(open, reported));
      if (reported.steps < open.steps.length) this.show();
      return true;
    }
    const { replaced } = open;
    if (replaced?.key !== reported.document || !isEmpty(open.edits) || open.working !== null) return false;
    const { document } = replaced;
    const carried = editsOn(open.document, { document, edits: withSteps(replaced, reported) });
    open.notices = [...open.notices, ...carried.words];
    this.step((later) => overlaid(carried.edits, later));
    return true;
  }

  /** Changes the edits from here. */
  step(step: EditsStep, news?: JustEnded): void {
    const { open } = this;
    if (open === undefined) return;
    open.steps.push(step);
    this.setEdits(step(open.edits));
    this.show(news);
  }

  /** Stores the user's edits, also as a draft. */
  private setEdits(edits: FormEdits): void {
    const { open } = this;
    if (open === undefined) return;
    open.edits = edits;
    this.ownDrafts.add(open.client.baseUrl);
    storeDrafts(this.ports, open);
  }

  /** Sets the intention for a secret. */
  decide(target: SecretTarget, intention: SecretIntention): void {
    const document = this.open?.document;
    if (document === undefined) return;
    if (intention !== 'replace') document.clearSecretValue(target);
    this.step((edits) => withIntention(edits, document.model.mcpServers, target, intention));
  }

  dispose(): void {
    this.forget();
  }

  /** Stores the draft; everything is read again when the form is shown again. */
  private forget(): void {
    this.tests.end();
    this.loading?.abort();
    this.loading = undefined;
    this.open = undefined;
    this.last = undefined;
    this.onceShown = {};
    this.unsaid = [];
    this.unseen = {};
  }
}
