import assert from 'node:assert/strict';
import { noLimits } from '../../api/support/client';
import { createClient, type ApiClient } from '../../../../src/api/service/client';
import { FormHost } from '../../../../src/features/settings/panel/formHost';
import { formMessageHandler } from '../../../../src/features/settings/panel/handlers';
import { LastSaves, type FormPorts } from '../../../../src/features/settings/panel/ports';
import type { FormEdits } from '../../../../src/features/settings/shared/form';
import {
  parseHostMessage,
  type FormAction,
  type HostMessage,
  type ProviderChange,
  type SaveResult,
  type WebviewMessage,
} from '../../../../src/features/settings/shared/messages';
import { startService, type ReferenceService } from '../../../service/service';
import { MemoryStore } from '../parkedStore';
import { safeguards } from '../../core/settings/safeguards';
import { FakeServerPorts } from './serverPorts';

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

type Without<Message, Key extends string> = Message extends unknown ? Omit<Message, Key> : never;
/** A message about the form on screen, before it's said which edits are in it. */
export type Action = Without<FormAction, 'steps' | 'revision'>;

/** A client without request limits, which are tested elsewhere. */
export function clientOf(service: ReferenceService): ApiClient {
  return createClient({ baseUrl: service.url, sessionKey: service.sessionKey, limiter: noLimits });
}

/** The host side of the form; the test acts as the form and the editor. */
export class Harness {
  readonly posted: HostMessage[] = [];
  readonly logged: string[] = [];
  readonly questions: string[] = [];
  readonly servers = new FakeServerPorts();
  readonly safeguards = safeguards();
  /** The pickers that were opened. */
  readonly managed: string[] = [];
  /** Whether the service was updated to another generation since it was last read. */
  wasUpdated = false;
  /** The user's answers to secret inputs and confirmations. */
  secret: string | undefined;
  agrees = true;
  /** Called while a question is open. */
  whileAsked: () => Promise<void> = () => Promise.resolve();
  /** Takes each message to the form, where there is one. */
  onPosted: (message: HostMessage) => void = () => undefined;
  client: ApiClient | undefined;
  readonly host: FormHost;
  private revision = 0;
  private readonly handle: (data: unknown) => Promise<void>;

  constructor(
    client: ApiClient | undefined,
    readonly drafts = new Map<string, unknown>(),
    readonly lastSaves = new LastSaves(() => undefined),
    readonly parked = new MemoryStore(),
    wasReloaded = false,
  ) {
    this.client = client;
    const ports: FormPorts = {
      post: (message) => {
        // Like the editor: the form receives a copy and parses the message.
        const parsed = parseHostMessage(JSON.parse(JSON.stringify(message)));
        assert.ok(parsed.ok, JSON.stringify(parsed));
        this.posted.push(parsed.message);
        this.onPosted(parsed.message);
      },
      client: () => this.client,
      connectionName: () => 'Local',
      noClient: () => ({ message: 'Not connected.', nextStep: 'Connect.' }),
      askSecret: async (title, prompt) => {
        this.questions.push(`${title}: ${prompt}`);
        await this.whileAsked();
        return this.secret;
      },
      confirm: async (message, detail, action) => {
        this.questions.push(`${message} ${detail} [${action}]`);
        await this.whileAsked();
        return this.agrees;
      },
      manage: async (what) => {
        this.managed.push(what);
        await this.whileAsked();
      },
      takeUpdate: () => this.wasUpdated,
      safeguards: this.safeguards,
      servers: this.servers,
      parked: this.parked,
      lastSaves: this.lastSaves,
      drafts: {
        read: (service) => this.drafts.get(service),
        write: (service, draft) => {
          // A memento holds JSON.
          if (draft === undefined) this.drafts.delete(service);
          else this.drafts.set(service, JSON.parse(JSON.stringify(draft)));
        },
      },
      log: {
        info: (text) => this.logged.push(text),
        warn: (text) => this.logged.push(text),
        error: (text) => this.logged.push(text),
      },
    };
    this.host = new FormHost(ports, wasReloaded);
    this.handle = formMessageHandler(this.host);
  }

  /**
   * Sends a message as the form would, and waits for all results. The message carries the shown document; `document`
   * overrides it. Edits include all that the extension host has changed in them.
   */
  async send(
    message: Action | Extract<WebviewMessage, { type: 'ready' | 'retry' | 'refused' }>,
    document = this.all('form').at(-1)?.document ?? 'none',
  ): Promise<void> {
    const isAbout = !['ready', 'retry', 'refused'].includes(message.type);
    const steps = this.all('form').findLast((form) => form.document === document)?.steps ?? 0;
    const place = 'edits' in message ? { steps, revision: (this.revision += 1) } : {};
    await this.handle(JSON.parse(JSON.stringify(isAbout ? { ...place, ...message, document } : message)));
  }

  /** Sends any value. */
  forge(data: unknown): Promise<void> {
    return this.handle(data);
  }

  async open(): Promise<void> {
    await this.send({ type: 'ready', kept: null });
  }

  /** Connects the window to another service, with the form open. */
  async switchTo(client: ApiClient): Promise<void> {
    this.client = client;
    await this.host.sessionChanged(true);
  }

  all<T extends HostMessage['type']>(type: T): Extract<HostMessage, { type: T }>[] {
    return this.posted.filter(
      (message): message is Extract<HostMessage, { type: T }> => message.type === type,
    );
  }

  last<T extends HostMessage['type']>(type: T): Extract<HostMessage, { type: T }> {
    const message = this.all(type).at(-1);
    assert.ok(message, `no message "${type}"`);
    return message;
  }

  /** How each save ended. */
  get results(): SaveResult[] {
    return this.all('form').flatMap(({ result }) => result ?? []);
  }

  /** What can be read in the form now. */
  get notices(): string {
    return this.last('form').notices.join('\n');
  }

  get result(): SaveResult {
    const result = this.results.at(-1);
    assert.ok(result, 'no result of a save');
    return result;
  }

  /** What providers' rows said, each time that changed. */
  get providerChanges(): ProviderChange[][] {
    return this.all('form')
      .map(({ providerChanges }) => providerChanges)
      .filter((changes, index, all) => JSON.stringify(changes) !== JSON.stringify(all[index - 1] ?? []));
  }

  /** What the form says of one provider's last change. */
  providerError(): string {
    return this.last('form').providerChanges[0]?.error ?? '';
  }

  async save(edits: Partial<FormEdits>, choices: Record<string, 'mine' | 'theirs'> = {}): Promise<void> {
    await this.send({ type: 'save', edits: { ...noEdits, ...edits }, choices });
  }
}

/** The settings that the service has. */
export function settingsIn({ state }: ReferenceService) {
  assert.ok(state.settings);
  return state.settings;
}

/** Opens the form on a lifelike service before each test, and closes both after it. */
export function openForm(take: (form: Harness, service: ReferenceService) => void): void {
  let service: ReferenceService;
  let form: Harness;
  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    await form.open();
    take(form, service);
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });
}
