import type { ApiClient } from '../../api/service/client';
import type { Connection } from '../../shared/connection';
import { type Disposable, Emitter } from '../basics/emitter';
import type { SessionStore } from '../session/session';
import { createEntryMaker } from './entries';
import { exportJson, exportMarkdown } from './exportText';
import { LiveConversation } from './liveConversation';
import type { ConversationModel } from './model';
import type { ConversationModels, TranscriptFormat } from './models';
import { allRead } from './onceRead';
import { OpenConversations } from './openConversations';
import type { AcceptedOrigins } from './origins';
import type { TranscriptPorts } from './ports';

/** The service that the window is connected to. */
export interface ConnectedService {
  connection: Connection;
  client: ApiClient;
}

/** What the conversations of a service need from outside, by their id. */
export type PortsOf = (service: ConnectedService) => (id: string) => TranscriptPorts;

/** The models of the conversations of the connected service; they end with the connection. */
export class LiveModels implements ConversationModels, Disposable {
  private current: { client: ApiClient; open: OpenConversations<LiveConversation> } | undefined;
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = (listener: () => void): Disposable => this.changed.event(listener);
  private readonly told = new Emitter<LiveConversation>();
  /** Fires after each change of one of the models. */
  readonly onDidTell = this.told.event;
  private readonly following: Disposable;

  constructor(
    private readonly session: Pick<SessionStore, 'current' | 'onDidChange'>,
    private readonly portsOf: PortsOf,
    private readonly origins: Pick<AcceptedOrigins, 'forgetRefusals'>,
  ) {
    this.following = session.onDidChange(() => this.follow());
    this.follow();
  }

  get service(): string | undefined {
    return this.current?.client.baseUrl;
  }

  model(id: string): LiveConversation | undefined {
    return this.current?.open.of(id);
  }

  async transcript(
    { id }: Pick<ConversationModel, 'id'>,
    format: TranscriptFormat,
    signal: AbortSignal,
  ): Promise<string> {
    const model = this.model(id);
    if (!model) return '';
    await allRead(model, signal);
    const events = await model.wholeEvents(signal);
    // What was read until then would pass for all of it.
    signal.throwIfAborted();
    const entries = createEntryMaker()(events, model.head.execution, model.gaps);
    const write = format === 'json' ? exportJson : exportMarkdown;
    return write({ head: model.head, events, entries });
  }

  async reconnect(id: string): Promise<void> {
    await this.origins.forgetRefusals();
    this.model(id)?.reconnect();
  }

  dispose(): void {
    this.following.dispose();
    this.current?.open.dispose();
    this.current = undefined;
  }

  private follow(): void {
    const { current: session } = this.session;
    const service = 'client' in session ? session : undefined;
    if (service?.client === this.current?.client) return;
    this.current?.open.dispose();
    this.current = service && {
      client: service.client,
      open: new OpenConversations(this.makerOf(this.portsOf(service))),
    };
    this.changed.fire(undefined);
  }

  private makerOf(ports: ReturnType<PortsOf>) {
    return (id: string) => {
      const model = new LiveConversation(id, ports(id));
      model.onDidChange(() => this.told.fire(model));
      return model;
    };
  }
}
