import type { Clock } from '../clock';
import type { Answer, Call } from '../http';
import type { Automations } from './automationRoutes';
import { AgentConversation, type ConversationOptions } from './conversation';
import { forkAnswer } from './forkRoutes';
import { ownAnswer } from './ownRoutes';
import { habits, isNew, type Release } from './release';
import { answerFor } from './routes';
import { providerAnswer } from './providerRoutes';
import { signInAnswer } from './signInRoutes';
import { subscriptionAnswer } from './subscriptionRoutes';
import { skillAnswer } from './skillRoutes';
import { settingsAnswer, switchAnswer } from './settingsRoutes';
import { startAnswer, StartState } from './startRoutes';
import { type Origins, SandboxFiles } from './sandboxFiles';
import { runtimeAnswer } from './runtimeRoutes';
import { shellAnswer, ShellState } from './shellRoutes';
import { boundAnswer, workspaceAnswer } from './workspaceRoutes';
import { AgentSockets, type Wire } from './sockets';

type Added = Omit<ConversationOptions, 'release' | 'clock'>;

const bareId = (id: string) => id.replaceAll('-', '').toLowerCase();

/** The agent server of one sandbox, without a network. */
export class AgentServer {
  /** What agents see, and their conversations’ own routes reach. */
  readonly files: SandboxFiles;
  /** What the general routes reach: another computer where conversations run in containers. */
  readonly host: SandboxFiles;
  readonly starts = new StartState();
  readonly shell = new ShellState();
  readonly conversations = new Map<string, AgentConversation>();
  readonly sockets: AgentSockets;
  /** The automation service beside it, as Agent Canvas has one. */
  automations: Automations | undefined;
  /** How often a call froze the whole server. */
  freezes = 0;
  /** Pending while nothing is answered, because the sandbox is paused or a call froze the server. */
  private frozen: Promise<void> | undefined;
  private thawing: (() => void) | undefined;

  constructor(
    readonly release: Release,
    readonly key: string,
    private readonly clock: Clock,
    origins: Origins = {},
    private readonly runtime: 'local' | 'docker' = 'local',
    private readonly isSelectable = false,
  ) {
    this.files = new SandboxFiles(origins);
    this.host = runtime === 'local' ? this.files : new SandboxFiles({});
    this.sockets = new AgentSockets(clock);
  }

  add(options: Added): AgentConversation {
    const conversation = new AgentConversation({ ...options, release: this.release, clock: this.clock });
    this.conversations.set(bareId(options.id), conversation);
    return conversation;
  }

  /** Acts as if its sandbox were paused: accepts requests, and handles them after `thaw`. */
  freeze(): void {
    if (this.thawing) return;
    this.frozen = new Promise((resolve) => (this.thawing = resolve));
  }

  thaw(): void {
    this.thawing?.();
    this.thawing = undefined;
    this.frozen = undefined;
  }

  get isFrozen(): boolean {
    return this.thawing !== undefined;
  }

  async handle(call: Call, key: unknown): Promise<Answer> {
    while (this.frozen) await this.frozen;
    if (call.path === '/server_info') return { status: 200, body: this.info };
    if (call.path === '/alive') return { status: 200, body: { status: 'ok' } };
    if (!call.path.startsWith('/api/') || call.path.startsWith('/api/v1/'))
      return { status: 404, body: { detail: 'Not Found' } };
    if (key !== this.key) return { status: 401, body: { detail: 'Unauthorized' } };
    const automated = this.automations?.answer(call);
    if (automated) return automated;
    const { starts: state, release, files, conversations } = this;
    const { runtime, isSelectable } = this;
    const desk = {
      ...{ state, release, files, conversations, runtime, isSelectable },
      add: (options: Added) => this.add(options),
    };
    const started =
      settingsAnswer(state, release, call) ??
      providerAnswer(state, call) ??
      subscriptionAnswer(state.subscription, release, call) ??
      signInAnswer(state.signIns, release, call) ??
      skillAnswer(state.addOns, release, call) ??
      shellAnswer(this.shell, release, this.host, call) ??
      (await startAnswer(desk, call));
    if (started) return started;
    const [, id] = /^\/api\/conversations\/([^/]+)\//.exec(call.path) ?? [];
    const conversation = this.conversations.get(bareId(id ?? ''));
    const isBound = conversation && this.capabilities.includes('conversation_runtime_routes_v1');
    const answer =
      (isBound ? await boundAnswer(this.files, this.release, conversation, call) : undefined) ??
      (await workspaceAnswer(this.host, this.release, call));
    if (answer) return answer;
    const switched = conversation && switchAnswer(state, conversation, call);
    if (switched) return switched;
    const forked = conversation && forkAnswer(desk, conversation, call);
    if (forked) return forked;
    const contained = conversation && runtimeAnswer(conversation, call);
    if (contained) return contained;
    const own = ownAnswer(this.conversations, call);
    if (own) return own;
    return answerFor(this.conversations, call, (until) => this.freezeUntil(until));
  }

  /**
   * Connects a socket. Returns a function to call when the other side closes; undefined if the handshake is refused.
   */
  async connect(path: string, key: unknown, wire: Wire): Promise<(() => void) | undefined> {
    while (this.frozen) await this.frozen;
    const [, kind, id] = /^\/sockets\/(events|session)\/([0-9a-f-]+)$/i.exec(path) ?? [];
    const conversation = this.conversations.get(bareId(id ?? ''));
    if (key !== this.key || !conversation) return undefined;
    const { step, habits } = conversation;
    if (step && habits.socketFreezes) {
      this.freezeUntil(step);
      await step;
    }
    const counts = kind === 'session';
    if (counts && !habits.counts) return undefined;
    return this.sockets.connect(conversation, wire, counts);
  }

  /** Removes all files. */
  dispose(): void {
    this.files.dispose();
    this.host.dispose();
  }

  private get capabilities(): readonly string[] {
    return habits[this.release].capabilities;
  }

  private get info(): unknown {
    const about = { title: 'OpenHands Agent Server', version: this.release, uptime: 1 };
    const { capabilities } = this;
    const services = { automation: { api_prefix: '/api/automation' } };
    return {
      ...about,
      ...(capabilities.length > 0 && { conversation_runtime: this.runtime, capabilities }),
      ...(isNew(this.release) && {
        available_conversation_runtimes: this.isSelectable ? ['local', 'docker'] : [],
      }),
      ...(this.automations && { runtime_services: { mode: 'agent-canvas', services } }),
    };
  }

  private freezeUntil(until: Promise<void>): void {
    this.freezes += 1;
    const frozen = until.then(() => {
      if (this.frozen === frozen) this.frozen = undefined;
    });
    this.frozen = frozen;
  }
}
