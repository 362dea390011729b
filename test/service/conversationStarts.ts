import type { Behaviour } from './behaviour';
import type { Clock } from './clock';
import {
  makeConversation,
  makeMetrics,
  makeStartTask,
  newHexId,
  type ConversationRecord,
  type SandboxRecord,
  type StartTaskRecord,
  type State,
} from './records';
import type { SandboxLifecycle, StartedSandbox } from './sandboxLifecycle';
import { firstText, type StartRequest } from './startRequest';

/** The steps once the sandbox is running, in this order. */
const stepsInSandbox = [
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'SETTING_UP_SKILLS',
  'STARTING_CONVERSATION',
];

/** How long a start waits for a sandbox that's already starting, in milliseconds. */
const sandboxStartTimeout = 120_000;

/** The error of a service that can't start a sandbox. */
export const startFailure = 'Agent Server Failed to start properly';

/** Starts conversations, at once or step by step as a start task. */
export class ConversationStarts {
  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
    private readonly sandboxes: SandboxLifecycle,
  ) {}

  /**
   * Starts a conversation at once, in the given sandbox or a new one. Returns a string with the reason if that's
   * impossible.
   */
  startNow(request: StartRequest): ConversationRecord | string {
    const sandbox = this.runningSandbox(request.sandbox_id);
    if (typeof sandbox === 'string') return sandbox;
    const conversation = this.create(request, sandbox);
    conversation.title = request.title ?? conversation.title;
    return conversation;
  }

  private runningSandbox(id: string | null): SandboxRecord | string {
    if (!id) return this.sandboxes.start('STARTING')?.sandbox ?? 'No sandbox spec to start a sandbox from';
    const sandbox = this.state.sandboxes.get(id);
    if (!sandbox) return `Sandbox not found: ${id}`;
    return sandbox.status === 'RUNNING' ? sandbox : `Sandbox not running: ${id}`;
  }

  /**
   * Creates a start task that is WORKING and continues by itself to READY or ERROR. Calls `tell` at each step. A
   * requested title has no effect.
   */
  startTask(request: StartRequest, tell: (task: StartTaskRecord) => void = () => undefined): StartTaskRecord {
    const task = makeStartTask({ request, created_at: this.timestamp() });
    this.state.startTasks.set(task.id, task);
    new TaskRun(this.state, this.behaviour, this.clock, this.sandboxes, task, request, {
      create: (sandbox) => this.titledLater(this.create(request, sandbox), firstText(request)),
      tell: () => tell(task),
    }).begin();
    return task;
  }

  /** The service titles a conversation some time after the first message. */
  private titledLater(conversation: ConversationRecord, message: string): ConversationRecord {
    if (message.trim() !== '')
      this.clock.after(this.behaviour.delays.title, () => {
        conversation.title = titleFor(message);
        conversation.updated_at = this.timestamp();
      });
    return conversation;
  }

  private create(request: StartRequest, sandbox: SandboxRecord): ConversationRecord {
    const id = newHexId();
    const conversation = makeConversation({
      id,
      sandbox_id: sandbox.id,
      title: `Conversation ${id.slice(0, 5)}`,
      selected_repository: request.selected_repository,
      selected_branch: request.selected_branch,
      git_provider: request.git_provider,
      trigger: request.trigger,
      pr_number: request.pr_number,
      llm_model: request.llm_model ?? this.state.settings?.llm_model ?? null,
      metrics: makeMetrics(),
      parent_conversation_id: request.parent_conversation_id,
      public: request.public,
      created_at: this.timestamp(),
      execution_status: request.initial_message === null ? 'idle' : 'running',
    });
    this.state.conversations.set(id, conversation);
    return conversation;
  }

  private timestamp(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

/** A title like a model's: the first few words of the message, capitalized. */
const titleFor = (message: string): string =>
  message
    .trim()
    .split(/\s+/)
    .slice(0, 6)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
    .replace(/[.,:;!?]+$/, '');

/** Takes one start task through its steps. */
class TaskRun {
  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
    private readonly sandboxes: SandboxLifecycle,
    private readonly task: StartTaskRecord,
    private readonly request: StartRequest,
    private readonly out: {
      create: (sandbox: SandboxRecord) => ConversationRecord;
      tell: () => void;
    },
  ) {}

  begin(): void {
    this.next(() => {
      const { sandbox_id: id } = this.request;
      if (id) this.useSandbox(id);
      else if (this.behaviour.sandboxKind === 'process') this.startProcess();
      else this.startContainer();
    });
  }

  /** The task doesn't name the sandbox before it runs. */
  private startProcess(): void {
    const started = this.sandboxes.start('ERROR');
    if (!started) this.fail('500: No sandbox specs available');
    else void this.afterStart(started);
  }

  private async afterStart({ sandbox, ended }: StartedSandbox): Promise<void> {
    if (await ended) this.waitFor(sandbox);
    else this.fail(`500: ${startFailure}`);
  }

  private startContainer(): void {
    const started = this.sandboxes.start('STARTING');
    if (started) this.waitFor(started.sandbox);
    else this.fail('500: No sandbox specs available');
  }

  private useSandbox(id: string): void {
    const sandbox = this.state.sandboxes.get(id);
    if (!sandbox) {
      this.fail(`500: Sandbox not found: ${id}`);
      return;
    }
    this.task.sandbox_id = id;
    // A paused sandbox is resumed, but the start still fails.
    if (sandbox.status === 'PAUSED') this.sandboxes.resume(id);
    if (sandbox.status === 'ERROR') this.fail('500: Sandbox status: SandboxStatus.ERROR');
    else if (!['STARTING', 'RUNNING'].includes(sandbox.status))
      this.fail(`500: Sandbox not startable: ${id}`);
    else this.waitFor(sandbox);
  }

  private waitFor(sandbox: SandboxRecord): void {
    this.task.sandbox_id = sandbox.id;
    this.enter('WAITING_FOR_SANDBOX');
    const until = this.clock.now() + sandboxStartTimeout;
    const look = (): void => {
      if (sandbox.status === 'RUNNING') this.runStep(sandbox, 0);
      else if (!this.state.sandboxes.has(sandbox.id)) this.fail(`500: Sandbox not found: ${sandbox.id}`);
      else if (this.clock.now() > until) this.fail(`500: Sandbox failed to start: ${sandbox.id}`);
      else this.next(look);
    };
    this.next(look);
  }

  private runStep(sandbox: SandboxRecord, index: number): void {
    const step = stepsInSandbox[index];
    if (step === undefined) {
      // The record exists before the task is READY, because the agent server has already reported it to the service.
      const conversation = this.out.create(sandbox);
      this.next(() => {
        this.task.app_conversation_id = conversation.id;
        this.enter('READY');
      });
      return;
    }
    if (step === 'STARTING_CONVERSATION') this.task.agent_server_url = agentServerUrl(sandbox);
    this.enter(step);
    this.next(() => {
      if (index === 0 && this.request.selected_repository === 'owner/broken')
        this.fail('Could not clone repository owner/broken: not found or no access');
      else this.runStep(sandbox, index + 1);
    });
  }

  private fail(detail: string): void {
    this.task.detail = detail;
    this.enter('ERROR');
  }

  private enter(status: string): void {
    this.task.status = status;
    this.task.updated_at = new Date(this.clock.now()).toISOString();
    this.out.tell();
  }

  private next(action: () => void): void {
    // At least 1 ms, or waiting for a sandbox would never let a manual clock move on.
    this.clock.after(Math.max(1, this.behaviour.delays.taskStep), action);
  }
}

/** The address of a sandbox's agent server, or null. */
export const agentServerUrl = (sandbox: SandboxRecord): string | null =>
  sandbox.exposed_urls.find((exposed) => exposed.name === 'AGENT_SERVER')?.url ?? null;
