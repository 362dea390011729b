import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import type { Section } from '../shared/fields';
import type { FormEdits, Provider, SecretTarget } from '../shared/form';
import { withIntention } from '../shared/intentions';
import type { McpServer } from '../shared/mcp';
import type { HostMessage, KeptEdits, SuggestedField } from '../shared/messages';
import type { ServerEvent } from '../shared/serverMessages';
import type { SecretIntention } from '../shared/settings';
import { SettingsDocument } from '../state/settings/document';
import { makeDraft, parseDraft } from '../state/settings/draft';
import type { FormPorts } from './ports';
import { errorWords, loadFailureWords, restoredNotices } from './words';

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
  suggestions: HostMessage[];
  saving: boolean;
}

const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

/** True when there is nothing to save. */
function isEmpty({ values, secrets, mcpServers }: FormEdits): boolean {
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
  private live = false;
  /** Tests of MCP servers that go on, by the id of the server. */
  readonly tests = new Map<string, AbortController>();

  constructor(readonly ports: FormPorts) {}

  /** The form is there, for the first time or again; `kept` is what it had before it was hidden. */
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

  /** Reads the settings and shows them, with the draft of an earlier time where there is one. */
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
      this.restoreDraft(open);
      this.show(open);
      void this.suggest(open);
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
      suggestions: this.open?.client === client ? this.open.suggestions : [],
      saving: false,
    };
    return this.open;
  }

  private restoreDraft(open: OpenForm): void {
    const service = open.client.baseUrl;
    const draft = parseDraft(this.ports.drafts.read(service));
    if (draft === undefined) return;
    const restored = open.document.restore(draft.edits, draft.base);
    const hasChanges = open.document.review(restored.edits).length > 0;
    if (hasChanges) open.edits = restored.edits;
    else this.ports.drafts.write(service, undefined);
    open.notices = restoredNotices(hasChanges ? restored : undefined, draft);
  }

  /** Sends all that the form shows. */
  show(open: OpenForm): void {
    const { key, client, document, edits, providers, notices } = open;
    this.ports.post({
      type: 'model',
      document: key,
      service: client.baseUrl,
      model: { ...document.model, providers },
      edits,
      notices,
    });
    for (const message of open.suggestions) this.ports.post(message);
    this.revealNow();
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
    const draft = isEmpty(edits) ? undefined : makeDraft(open.document.model, edits, new Date());
    this.ports.drafts.write(open.client.baseUrl, draft);
  }

  /** Puts servers at the end of the list, unsaved, and tells `notices` about them. */
  addServers(servers: readonly McpServer[], notices: readonly string[]): void {
    const { open } = this;
    if (open === undefined) return;
    const list = open.edits.mcpServers ?? open.document.model.mcpServers;
    this.setEdits({ ...open.edits, mcpServers: [...list, ...servers] });
    if (this.live) {
      const event: ServerEvent = { kind: 'added', servers: [...servers], notices: [...notices] };
      this.ports.post({ type: 'servers', event });
    } else {
      open.added.push(...servers);
      open.notices.push(...notices);
    }
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

  private async suggest(open: OpenForm): Promise<void> {
    const { client } = open;
    const signal = this.loading?.signal;
    const lists: [SuggestedField, Promise<string[]>][] = [
      ['llm_model', client.listModels(signal)],
      ['agent', client.listAgents(signal)],
      ['security_analyzer', client.listSecurityAnalyzers(signal)],
    ];
    await Promise.all(
      lists.map(async ([field, list]) => {
        try {
          const message: HostMessage = { type: 'suggestions', field, values: (await list).slice(0, 5_000) };
          if (this.open?.client !== client) return;
          this.open.suggestions.push(message);
          this.ports.post(message);
        } catch (error) {
          // Not every service has these lists; the field is then typed without proposals.
          this.ports.log.info(`No suggestions for ${field}: ${errorWords(error)}`);
        }
      }),
    );
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
