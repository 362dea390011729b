import assert from 'node:assert/strict';
import { createClient, type ApiClient } from '../../../src/api/client';
import { FormHost } from '../../../src/settingsPanel/formHost';
import { messageHandler } from '../../../src/settingsPanel/handlers';
import { LastSaves } from '../../../src/settingsPanel/lastSaves';
import type { FormPorts } from '../../../src/settingsPanel/ports';
import type { FormEdits } from '../../../src/shared/form';
import {
  parseHostMessage,
  type HostMessage,
  type KeptEdits,
  type WebviewMessage,
} from '../../../src/shared/messages';
import type { ReferenceService } from '../../service/service';
import { MemoryStore } from '../state/parked/memoryStore';
import { FakeServerPorts } from './serverPorts';

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

/** A client that waits for no turn: the limits on requests are tested elsewhere. */
export function clientOf(service: ReferenceService): ApiClient {
  const limiter = { enter: () => Promise.resolve(() => undefined) };
  return createClient({ baseUrl: service.url, sessionKey: service.sessionKey, limiter });
}

/** The host's side of the form with the test as its form and its editor. */
export class Harness {
  readonly posted: HostMessage[] = [];
  readonly logged: string[] = [];
  readonly questions: string[] = [];
  readonly servers = new FakeServerPorts();
  /** What the user answers to the next question for a secret, and to confirmations. */
  secret: string | undefined;
  agrees = true;
  client: ApiClient | undefined;
  readonly host: FormHost;
  private readonly handle: (data: unknown) => Promise<void>;

  constructor(
    client: ApiClient | undefined,
    readonly drafts = new Map<string, unknown>(),
    readonly lastSaves = new LastSaves(() => undefined),
    readonly parked = new MemoryStore(),
  ) {
    this.client = client;
    const ports: FormPorts = {
      post: (message) => {
        // As the editor does: what the form gets is a copy, and it parses it.
        const parsed = parseHostMessage(JSON.parse(JSON.stringify(message)));
        assert.ok(parsed.ok, JSON.stringify(parsed));
        this.posted.push(parsed.message);
      },
      client: () => this.client,
      noClient: () => ({ message: 'Not connected.', nextStep: 'Connect.' }),
      askSecret: (title, prompt) => {
        this.questions.push(`${title}: ${prompt}`);
        return Promise.resolve(this.secret);
      },
      confirm: (message, detail, action) => {
        this.questions.push(`${message} ${detail} [${action}]`);
        return Promise.resolve(this.agrees);
      },
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
    this.host = new FormHost(ports);
    this.handle = messageHandler(this.host);
  }

  /** Sends what the form would, and waits for all that comes of it. */
  async send(message: WebviewMessage): Promise<void> {
    await this.handle(JSON.parse(JSON.stringify(message)));
  }

  /** Sends anything at all. */
  forge(data: unknown): Promise<void> {
    return this.handle(data);
  }

  async open(): Promise<void> {
    await this.reopen(null);
  }

  /** Opens the form with what it had kept when the window was reloaded. */
  async reopen(kept: KeptEdits | null): Promise<void> {
    await this.send({ type: 'ready', kept });
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

  get result() {
    return this.last('saveResult').result;
  }

  async save(edits: Partial<FormEdits>, choices: Record<string, 'mine' | 'theirs'> = {}): Promise<void> {
    await this.send({ type: 'save', edits: { ...noEdits, ...edits }, choices });
  }
}
