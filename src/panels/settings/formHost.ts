import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../api/service/client';
import type { Section } from '../../shared/fields';
import type { FormEdits, SecretTarget } from '../../shared/form';
import { describeError } from '../../platform/errorText';
import { withIntention } from '../../shared/intentions';
import type { KeptEdits, SaveResult } from '../../shared/messages';
import { same } from '../../shared/same';
import type { SecretIntention } from '../../shared/settings';
import { SettingsDocument } from '../../state/settings/document';
import { offerOf, storeDrafts, takeDrafts } from './drafts';
import { isEmpty, noEdits, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import { readablePost } from './sending';
import { OperatorServers } from './servers/operators';
import { suggest } from './suggesting';
import { errorWords } from './words';

/** What a change of the service leaves in the form besides its values. */
interface Settled {
  /** The edits that are still unsaved. */
  edits?: FormEdits;
  notices?: readonly string[];
  /** How the save ended, if it was one. */
  result?: SaveResult | null;
  /** The change that goes on, in words. */
  working?: string | undefined;
}

/** The extension host's side of the form: reads the settings, holds the edits, and shows both again when asked. */
export class FormHost {
  open: OpenForm | undefined;
  private loading: AbortController | undefined;
  /** The client used for the last reading, and why it failed, if it did. */
  last: { client: ApiClient | undefined; failure?: unknown } | undefined;
  private section: Section | undefined;
  private onceShown: (() => void) | undefined;
  /** Notices to show once the form shows something. */
  private unsaid: string[] = [];
  /** True while the page can receive messages, which it can't while hidden. */
  live = false;
  /** Services whose draft was made in this form, before the window was reloaded perhaps. */
  private readonly ownDrafts = new Set<string>();
  /** Running tests of MCP servers, by the server's id. */
  readonly tests = new Map<string, AbortController>();
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
    if (kept?.document === open.key) {
      const held = open.document.model.mcpServers;
      this.setEdits(
        open.decided.reduce(
          (edits, { target, intention }) => withIntention(edits, held, target, intention),
          open.added.length === 0
            ? kept.edits
            : { ...kept.edits, mcpServers: [...(kept.edits.mcpServers ?? held), ...open.added] },
        ),
      );
    }
    open.added = [];
    this.show(open);
    await this.refresh();
  }

  /** The page can't receive messages until the next `ready`. */
  hidden(): void {
    this.live = false;
  }

  /** Brings a section into view, now or once the form is shown. */
  reveal(section: Section): void {
    this.section = section;
    this.revealNow();
  }

  /** Does something with the form, now or once it's shown. */
  whenShown(act: () => void): void {
    this.onceShown = act;
    this.revealNow();
  }

  private revealNow(): void {
    if (!this.live || this.open === undefined) return;
    if (this.section !== undefined) this.ports.post({ type: 'reveal', section: this.section });
    this.section = undefined;
    const act = this.onceShown;
    this.onceShown = undefined;
    act?.();
  }

  /**
   * The session changed: with another client, or none, nothing of the former one stays on screen; with the same one, what
   * could not be read is read again once the service is known to answer.
   */
  async sessionChanged(isReady: boolean): Promise<void> {
    const former = this.open;
    const client = this.ports.client();
    const isSame = client !== undefined && client === this.last?.client;
    if (isSame && !(this.last?.failure && isReady)) return;
    if (!this.live) {
      this.forget();
      return;
    }
    await this.load();
    const { open } = this;
    if (!former || !open || isEmpty(former.edits) || former.client.baseUrl === open.client.baseUrl) return;
    open.notices.push(
      l10n.t(
        'Your unsaved changes for {0} are kept. They come back when you reconnect.',
        former.client.baseUrl,
      ),
    );
    this.show(open);
  }

  /**
   * Reads the settings and shows them. Edits that were made in this form are on them again; a draft that an earlier one
   * left is offered.
   * @param result how the save ended after which they are read
   */
  async load(result: SaveResult | null = null): Promise<void> {
    this.endTests();
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.open = undefined;
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
      const open = this.opened(client, document);
      const service = client.baseUrl;
      takeDrafts(open, this.ports.drafts.read(service), this.wasReloaded || this.ownDrafts.has(service));
      this.wasReloaded = false;
      this.setEdits(open.edits);
      this.show(open, { result });
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

  /** Makes `document` the form's content. */
  private opened(client: ApiClient, document: SettingsDocument): OpenForm {
    const former = this.open?.client === client ? this.open : undefined;
    const { providers, providersTold } = document.model;
    this.open = {
      key: randomUUID(),
      client,
      document,
      edits: noEdits,
      // If the service doesn't say, the last known value is used.
      providers: (providersTold ? undefined : former?.providers) ?? providers,
      decided: [],
      agreed: new Set(),
      added: [],
      notices: [],
      offers: former?.offers ?? [],
      suggestions: former?.suggestions ?? [],
      saving: false,
      working: undefined,
    };
    return this.open;
  }

  /** Makes what a change of the service ended with the form's content, and shows it. */
  settle(open: OpenForm, document: SettingsDocument, settled: Settled = {}): void {
    const { edits = noEdits, notices = [], ...rest } = settled;
    const next = Object.assign(this.opened(open.client, document), { notices: [...notices] });
    this.setEdits(edits);
    this.show(next, rest);
  }

  /** Sends everything the form shows, and how the save ended that led to it. */
  show(
    open: OpenForm,
    { result = null, working = open.working }: Omit<Settled, 'edits' | 'notices'> = {},
  ): void {
    const { key, client, document, edits, providers, notices, offers } = open;
    this.ports.post({
      type: 'model',
      document: key,
      connection: this.ports.connectionName(),
      service: client.baseUrl,
      model: { ...document.model, providers },
      edits,
      notices: [...notices, ...this.unsaid.splice(0)],
      offers: offers.map((offer) => offerOf(offer, document, new Date())),
      operators: this.operators.among(client, document.model.mcpServers),
      working: working ?? null,
      result,
    });
    this.showParked();
    for (const message of open.suggestions) this.ports.post(message);
    this.revealNow();
  }

  /** Shows a notice, now or once the form is shown. */
  say(message: string): void {
    if (this.live && this.open) this.ports.post({ type: 'notice', message });
    else this.unsaid.push(message);
  }

  /** Sends the servers parked for the form's service, which another window may have changed. */
  showParked(): void {
    if (this.open === undefined) return;
    const servers = this.ports.parked.list(this.open.client.baseUrl);
    this.ports.post({ type: 'servers', event: { kind: 'parked', servers } });
  }

  /** Reloads the settings in the background without disturbing changes the user has started. */
  async refresh(): Promise<void> {
    const { open } = this;
    if (open === undefined || !isEmpty(open.edits)) return;
    try {
      const document = await SettingsDocument.load(open.client, this.ports.safeguards, this.loading?.signal);
      if (this.open !== open || !isEmpty(open.edits) || open.saving) return;
      if (same(document.model, open.document.model)) return;
      this.settle(open, document, { notices: open.notices });
      Object.assign(this.open, { replaced: open });
    } catch (error) {
      this.ports.log.warn(`Couldn’t reload the settings: ${errorWords(error)}`);
    }
  }

  /** Stores the user's edits, also as a draft. */
  setEdits(edits: FormEdits): void {
    const { open } = this;
    if (open === undefined) return;
    open.edits = edits;
    this.ownDrafts.add(open.client.baseUrl);
    storeDrafts(this.ports, open);
  }

  /** Sets the intention for a secret. */
  decide(target: SecretTarget, intention: SecretIntention): void {
    const { open } = this;
    if (open === undefined) return;
    if (intention !== 'replace') open.document.clearSecretValue(target);
    open.decided.push({ target, intention });
    this.setEdits(withIntention(open.edits, open.document.model.mcpServers, target, intention));
    this.ports.post({ type: 'secret', target, intention });
  }

  private endTests(): void {
    const tests = [...this.tests.values()];
    this.tests.clear();
    for (const test of tests) test.abort();
  }

  dispose(): void {
    this.forget();
  }

  /** Stores the draft; everything is read again when the form is shown again. */
  private forget(): void {
    this.endTests();
    this.loading?.abort();
    this.loading = undefined;
    this.open = undefined;
    this.last = undefined;
    this.onceShown = undefined;
    this.unsaid = [];
  }
}
