import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import type { Section } from '../shared/fields';
import type { FormEdits, Provider, SecretTarget } from '../shared/form';
import { withIntention } from '../shared/intentions';
import type { McpServer } from '../shared/mcp';
import type { HostMessage, KeptEdits } from '../shared/messages';
import type { SecretIntention } from '../shared/settings';
import { SettingsDocument } from '../state/settings/document';
import { offerOf, storeDrafts, takeDrafts, type OfferedDraft } from './drafts';
import type { FormPorts } from './ports';
import { OperatorServers } from './servers/operators';
import { suggest } from './suggesting';
import { errorWords, loadFailureWords } from './words';

/** One reading of the service's settings, with what the user made of it. */
export interface OpenForm {
  /** Tells this reading from others, when the form comes back from being hidden. */
  readonly key: string;
  readonly client: ApiClient;
  document: SettingsDocument;
  edits: FormEdits;
  /** Fresher than the document's: they change in calls of their own. */
  providers: Provider[];
  /** What was decided here about secrets, in case the form was hidden and did not hear of it. */
  readonly decided: { target: SecretTarget; intention: SecretIntention }[];
  /** Servers that came into the list while the form was hidden. */
  added: McpServer[];
  notices: string[];
  /** Drafts of other times that the user has not decided on. */
  offers: OfferedDraft[];
  suggestions: HostMessage[];
  /** While the service is being changed. */
  saving: boolean;
  /** What is being done besides a save, in words. */
  working: string | undefined;
}

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

/** True when there is nothing to save. */
export function isEmpty({ values, secrets, mcpServers }: FormEdits): boolean {
  return Object.keys(values).length === 0 && Object.keys(secrets).length === 0 && mcpServers === null;
}

/** The extension host's side of the form: reads the settings, holds the edits, and shows both again when asked. */
export class FormHost {
  open: OpenForm | undefined;
  private loading: AbortController | undefined;
  /** The client that the last reading was made with, and whether that failed. */
  private last: { client: ApiClient | undefined; failed: boolean } | undefined;
  private section: Section | undefined;
  private onceShown: (() => void) | undefined;
  /** True while there is a page that takes messages; a hidden panel has none. */
  live = false;
  /** Services whose draft was made in this form, before the window was reloaded perhaps. */
  private readonly ownDrafts = new Set<string>();
  private wasReloaded = false;
  /** Tests of MCP servers that go on, by the id of the server. */
  readonly tests = new Map<string, AbortController>();
  readonly operators = new OperatorServers();

  constructor(readonly ports: FormPorts) {}

  /** The form is there, for the first time or again; `kept` is what it had before it was hidden. */
  async ready(kept: KeptEdits | null): Promise<void> {
    this.live = true;
    const { open } = this;
    if (open === undefined || open.client !== this.ports.client()) {
      this.wasReloaded ||= kept !== null && !isEmpty(kept.edits);
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

  /** The page is gone until the next `ready`. */
  hidden(): void {
    this.live = false;
  }

  /** Brings a section into view, at once or when there is a form to show it in. */
  reveal(section: Section): void {
    this.section = section;
    this.revealNow();
  }

  /** Does something with the form, at once or when it is there. */
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
    if (isSame && !(this.last?.failed && isReady)) return;
    if (!this.live) {
      this.forget();
      return;
    }
    await this.load();
    const { open } = this;
    if (!former || !open || isEmpty(former.edits) || former.client.baseUrl === open.client.baseUrl) return;
    open.notices.push(
      l10n.t(
        'Your unsaved changes to {0} are kept, and come back when you connect to it again.',
        former.client.baseUrl,
      ),
    );
    this.show(open);
  }

  /**
   * Reads the settings and shows them. Edits that were made in this form are on them again; a draft that an earlier one
   * left is offered.
   */
  async load(): Promise<void> {
    this.endTests();
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.open = undefined;
    const client = this.ports.client();
    const last = { client, failed: false };
    this.last = last;
    if (client === undefined) {
      this.ports.post({ type: 'failed', ...this.ports.noClient() });
      return;
    }
    this.ports.post({ type: 'loading' });
    try {
      const document = await SettingsDocument.load(client, loading.signal);
      if (this.isOver(loading)) return;
      const open = this.opened(client, document);
      const service = client.baseUrl;
      takeDrafts(open, this.ports.drafts.read(service), this.wasReloaded || this.ownDrafts.has(service));
      this.wasReloaded = false;
      this.setEdits(open.edits);
      this.show(open);
      void suggest(this, client, loading.signal);
    } catch (error) {
      if (this.isOver(loading)) return;
      const words = await loadFailureWords(client, error, loading.signal);
      if (this.isOver(loading)) return;
      last.failed = true;
      this.ports.log.warn(`The settings could not be read: ${words.message}`);
      this.ports.post({ type: 'failed', ...words });
    }
  }

  /** True when another reading, or the end of the form, has made this one pointless. */
  private isOver(loading: AbortController): boolean {
    return this.loading !== loading;
  }

  /** Makes `document` what the form is about. */
  opened(client: ApiClient, document: SettingsDocument): OpenForm {
    this.open = {
      key: randomUUID(),
      client,
      document,
      edits: noEdits,
      providers: document.model.providers,
      decided: [],
      added: [],
      notices: [],
      offers: this.open?.client === client ? this.open.offers : [],
      suggestions: this.open?.client === client ? this.open.suggestions : [],
      saving: false,
      working: undefined,
    };
    return this.open;
  }

  /** Sends all that the form shows. */
  show(open: OpenForm): void {
    const { key, client, document, edits, providers, notices, offers } = open;
    this.ports.post({
      type: 'model',
      document: key,
      service: client.baseUrl,
      model: { ...document.model, providers },
      edits,
      notices,
      offers: offers.map((offer) => offerOf(offer, document, new Date())),
    });
    const ids = this.operators.among(client, document.model.mcpServers);
    this.ports.post({ type: 'servers', event: { kind: 'operators', ids } });
    this.showParked();
    if (open.working !== undefined)
      this.ports.post({ type: 'servers', event: { kind: 'working', words: open.working } });
    for (const message of open.suggestions) this.ports.post(message);
    this.revealNow();
  }

  /** Sends what is parked for the service of the form, which another window may have changed. */
  showParked(): void {
    if (this.open === undefined) return;
    const servers = this.ports.parked.list(this.open.client.baseUrl);
    this.ports.post({ type: 'servers', event: { kind: 'parked', servers } });
  }

  /** Reads the settings again in the background; what the user began to change meanwhile is not disturbed. */
  async refresh(): Promise<void> {
    const { open } = this;
    if (open === undefined || !isEmpty(open.edits)) return;
    try {
      const document = await SettingsDocument.load(open.client, this.loading?.signal);
      if (this.open !== open || !isEmpty(open.edits) || open.saving) return;
      const isSame = JSON.stringify(document.model) === JSON.stringify(open.document.model);
      if (!isSame) this.show(Object.assign(this.opened(open.client, document), { notices: open.notices }));
    } catch (error) {
      this.ports.log.warn(`The settings could not be read again: ${errorWords(error)}`);
    }
  }

  /** Takes over the user's edits, and keeps them as a draft. */
  setEdits(edits: FormEdits): void {
    const { open } = this;
    if (open === undefined) return;
    open.edits = edits;
    this.ownDrafts.add(open.client.baseUrl);
    storeDrafts(this.ports, open);
  }

  /** Drops every edit and typed secret, and looks what the service holds now. */
  async revert(): Promise<void> {
    const { open } = this;
    if (open === undefined || open.saving) return;
    for (const { target } of open.decided) open.document.clearSecretValue(target);
    this.setEdits(noEdits);
    this.show(this.opened(open.client, open.document));
    await this.refresh();
  }

  /** Settles what shall become of a secret. */
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

  /** Leaves all to be read when the form is there again; the draft is stored. */
  private forget(): void {
    this.endTests();
    this.loading?.abort();
    this.loading = undefined;
    this.open = undefined;
    this.last = undefined;
    this.onceShown = undefined;
  }
}
