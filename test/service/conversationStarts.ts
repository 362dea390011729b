import type { Behaviour } from './behaviour';
import type { Clock } from './clock';
import { Invalid, isObject, issue, type Issue } from './http';
import {
  makeConversation,
  makeStartTask,
  newHexId,
  type ConversationRecord,
  type SandboxRecord,
  type StartTaskRecord,
  type State,
} from './records';
import type { SandboxLifecycle } from './sandboxLifecycle';

/** What a client may ask for when it starts a conversation; a type, not an interface, so that it is a JSON object. */
export type StartRequest = Partial<Record<(typeof texts)[number], string | null>> & {
  initial_message?: unknown;
};

const texts = [
  'sandbox_id',
  'selected_repository',
  'selected_branch',
  'git_provider',
  'llm_model',
  'title',
] as const;
const providers = ['github', 'gitlab', 'bitbucket'];

/** Reads the body of `POST /api/v1/app-conversations`; unknown members are dropped. Throws Invalid. */
export function readStartRequest(body: Record<string, unknown>): StartRequest {
  const issues: Issue[] = [];
  const request: StartRequest = {};
  for (const name of texts) {
    const value = body[name];
    if (value === undefined) continue;
    if (value === null || typeof value === 'string') request[name] = value;
    else issues.push(issue(['body', name], 'a valid string', 'string_type'));
  }
  if (request.git_provider && !providers.includes(request.git_provider))
    issues.push(issue(['body', 'git_provider'], `one of ${providers.join(', ')}`, 'enum'));
  const message = body['initial_message'];
  if (message !== undefined && message !== null) {
    checkMessage(message, issues);
    request.initial_message = message;
  }
  if (issues.length > 0) throw new Invalid(issues);
  return request;
}

function checkMessage(message: unknown, issues: Issue[]): void {
  const loc = ['body', 'initial_message'];
  if (!isObject(message)) {
    issues.push(issue(loc, 'an object', 'model_type'));
    return;
  }
  if (message['role'] !== 'user') issues.push(issue([...loc, 'role'], "'user'", 'literal_error'));
  const content = message['content'];
  if (!Array.isArray(content)) {
    issues.push(issue([...loc, 'content'], 'a valid list', 'list_type'));
    return;
  }
  content.forEach((part: unknown, index) => {
    if (!isObject(part) || part['type'] !== 'text' || typeof part['text'] !== 'string')
      issues.push(issue([...loc, 'content', index], 'a text part', 'model_type'));
  });
}

/** What follows once the sandbox runs, in this order. */
const stepsInSandbox = [
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'STARTING_CONVERSATION',
];

/** Starts conversations, at once or step by step as a start task. */
export class ConversationStarts {
  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
    private readonly sandboxes: SandboxLifecycle,
  ) {}

  /** The conversation itself, in the sandbox given or a new one. A text says why it cannot be. */
  startNow(request: StartRequest): ConversationRecord | string {
    const sandbox = this.sandboxFor(request);
    return typeof sandbox === 'string' ? sandbox : this.create(request, sandbox);
  }

  /** A start task, WORKING, that goes on by itself to READY or ERROR. */
  startTask(request: StartRequest): StartTaskRecord {
    const task = makeStartTask({ request, created_at: this.timestamp() });
    this.state.startTasks.set(task.id, task);
    this.next(() => {
      const sandbox = this.sandboxFor(request);
      if (typeof sandbox === 'string') {
        this.fail(task, sandbox);
        return;
      }
      task.sandbox_id = sandbox.id;
      this.enter(task, 'WAITING_FOR_SANDBOX');
      this.next(() => this.awaitSandbox(task, request, sandbox));
    });
    return task;
  }

  private sandboxFor(request: StartRequest): SandboxRecord | string {
    if (!request.sandbox_id) return this.sandboxes.start() ?? 'No sandbox spec to start a sandbox from';
    const sandbox = this.state.sandboxes.get(request.sandbox_id);
    if (!sandbox) return `Sandbox not found: ${request.sandbox_id}`;
    return sandbox.status === 'RUNNING' ? sandbox : `Sandbox not running: ${sandbox.id}`;
  }

  private awaitSandbox(task: StartTaskRecord, request: StartRequest, sandbox: SandboxRecord): void {
    const coming = ['STARTING', ...(this.behaviour.errorUntilHealthy ? ['ERROR'] : [])];
    if (sandbox.status === 'RUNNING') this.runStep(task, request, sandbox, 0);
    else if (coming.includes(sandbox.status)) this.next(() => this.awaitSandbox(task, request, sandbox));
    else this.fail(task, `Sandbox failed to start: ${sandbox.id}`);
  }

  private runStep(task: StartTaskRecord, request: StartRequest, sandbox: SandboxRecord, index: number): void {
    const step = stepsInSandbox[index];
    if (step !== undefined) {
      this.enter(task, step);
      this.next(() => {
        if (index === 0 && request.selected_repository === 'owner/broken')
          this.fail(task, 'Could not clone repository owner/broken: not found or no access');
        else this.runStep(task, request, sandbox, index + 1);
      });
      return;
    }
    const conversation = this.create(request, sandbox);
    task.app_conversation_id = conversation.id;
    task.agent_server_url = agentServerUrl(sandbox);
    this.enter(task, 'READY');
  }

  private create(request: StartRequest, sandbox: SandboxRecord): ConversationRecord {
    const id = newHexId();
    const conversation = makeConversation({
      id,
      sandbox_id: sandbox.id,
      title: request.title ?? `Conversation ${id.slice(0, 5)}`,
      selected_repository: request.selected_repository ?? null,
      selected_branch: request.selected_branch ?? null,
      git_provider: request.git_provider ?? null,
      llm_model: request.llm_model ?? this.state.settings?.llm_model ?? null,
      created_at: this.timestamp(),
      execution_status: request.initial_message === undefined ? 'idle' : 'running',
    });
    this.state.conversations.set(id, conversation);
    return conversation;
  }

  private fail(task: StartTaskRecord, detail: string): void {
    task.detail = detail;
    this.enter(task, 'ERROR');
  }

  private enter(task: StartTaskRecord, status: string): void {
    task.status = status;
    task.updated_at = this.timestamp();
  }

  private next(action: () => void): void {
    // At least a millisecond, or waiting for a sandbox would never let a stepped clock move on.
    this.clock.after(Math.max(1, this.behaviour.delays.taskStep), action);
  }

  private timestamp(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

/** Where a sandbox's agent server answers. */
export const agentServerUrl = (sandbox: SandboxRecord): string | null =>
  sandbox.exposed_urls.find((exposed) => exposed.name === 'AGENT_SERVER')?.url ?? null;
