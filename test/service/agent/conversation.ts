import type { Runtime } from './runtimeRoutes';
import type { Clock } from '../clock';
import { addResult, callOf, EventLog, type AgentEventRecord } from './eventLog';
import { habits, type Habits, type Release } from './release';
import { workingDir } from './sandboxFiles';
import type { ScriptedAction, ScriptStep } from './script';

/** An approval or execution, for tests to check. */
export type Deed =
  /** An accept arrived while `ids` were waiting. */
  | { do: 'accept'; ids: string[] }
  /** `unasked`: the policy didn't ask for approval. */
  | { do: 'execute'; id: string; unasked: boolean };

interface Pending {
  event: AgentEventRecord;
  action: ScriptedAction;
  unasked: boolean;
}

/** Options for a new conversation. */
export interface ConversationOptions {
  id: string;
  release: Release;
  clock: Clock;
  script?: ScriptStep[];
  policy?: Record<string, unknown>;
  /** How long the model thinks, in milliseconds; 10 if absent. */
  modelMs?: number;
  title?: string | null;
  /** Folder that it works in; the sandbox’s usual one if absent. */
  workingDir?: string;
  /** What its record says besides, by what it was started with. */
  about?: { model?: string | undefined } & Record<string, unknown>;
}

const risks = ['LOW', 'MEDIUM', 'HIGH'];

/** A conversation with a scripted agent and the hazards of real ones. */
export class AgentConversation {
  readonly id: string;
  readonly release: Release;
  readonly log: EventLog;
  readonly deeds: Deed[] = [];
  /** The commands of each deed: an event's id may be no id. */
  readonly commands: string[][] = [];
  readonly script: ScriptStep[];
  readonly habits: Habits;
  readonly workingDir: string;
  readonly about: NonNullable<ConversationOptions['about']>;
  status = 'idle';
  title: string | null;
  policy: Record<string, unknown>;
  private readonly clock: Clock;
  private readonly modelMs: number;
  private readonly pending: Pending[] = [];
  /** All that the agent ever asked for. */
  private readonly requested: Pending[] = [];
  private looping = false;
  private queuedRun = false;
  private pauseAsked = false;
  /** A message came during the step. */
  private superseded = false;
  /** Whether an agent that may go on after a pause does so. */
  runsOn = false;
  /** What the record says of the agent. */
  agentKind = 'Agent';
  /** Its container, if it has one. */
  container: Runtime | undefined;
  /** The model of an ACP agent. */
  agentModel: string | null = null;
  /** What clients noted. */
  tags: Record<string, unknown> = {};
  private unanswered: string | undefined;
  private stepEnd: Promise<void> | undefined;
  private interruption: (() => void) | undefined;
  private prompt = 1_200;

  constructor(options: ConversationOptions) {
    const { id, release, clock, script = [], policy, modelMs = 10, title = null } = options;
    this.id = id;
    this.about = options.about ?? {};
    this.workingDir = options.workingDir ?? workingDir;
    this.release = release;
    this.title = title;
    this.habits = habits[release];
    this.clock = clock;
    this.script = [...script];
    this.policy = policy ?? { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true };
    this.modelMs = modelMs;
    this.log = new EventLog(clock, this.habits);
    this.log.add('SystemPromptEvent', 'agent', {
      system_prompt: { type: 'text', text: 'Be of help.' },
      tools: [],
    });
  }

  /** Resolves when the running step ends; undefined between steps. */
  get step(): Promise<void> | undefined {
    return this.stepEnd;
  }

  get createdAt(): string {
    return this.log.all[0]?.timestamp ?? '';
  }

  get updatedAt(): string {
    return this.log.all.at(-1)?.timestamp ?? '';
  }

  get stats(): unknown {
    return {
      usage_to_metrics: {
        agent: {
          model_name: 'demo',
          accumulated_cost: this.prompt / 1_000_000,
          accumulated_token_usage: {
            prompt_tokens: this.prompt,
            completion_tokens: Math.round(this.prompt / 40),
            context_window: 200_000,
            per_turn_token: this.prompt % 180_000,
          },
        },
      },
    };
  }

  message(text: string, run: boolean, images: unknown[] = []): void {
    if (this.habits.messageRejects && this.status === 'running' && this.looping) this.superseded = true;
    this.unanswered = text;
    if (this.status === 'finished' || (this.status === 'stuck' && this.habits.revivesStuck))
      this.become('idle');
    this.log.message('user', text, images);
    if (run) this.run();
  }

  /** Adds past steps, all at once, as if every action had been approved. */
  replay(text: string, steps: readonly ScriptStep[]): void {
    this.log.message('user', text);
    for (const step of steps) {
      if (!('act' in step)) this.answer(step);
      else
        for (const action of step.act) {
          const { tool, action: call } = callOf(action);
          const event = this.log.action(tool, call, {
            thought: step.thought ?? '',
            risk: action.risk ?? 'UNKNOWN',
          });
          addResult(this.log, event, action);
        }
    }
  }

  /** Waits for approval of these actions. */
  ask(actions: ScriptedAction[]): void {
    this.request(actions, '', false);
    this.become('waiting_for_confirmation');
  }

  /** Also executes what's waiting, or what the running step is about to ask for. */
  run(): void {
    if (['finished', 'stuck', 'deleting'].includes(this.status)) return;
    if (!this.looping) void this.loop();
    else if (this.habits.messageRejects) {
      if (this.status === 'paused') this.become('running');
    } else this.queuedRun = true;
  }

  /** The agent goes on from an earlier event. */
  navigate(eventId: string): void {
    this.log.leaf = eventId;
    const branch = this.log.branch;
    const answered = new Set(
      this.log.all.filter(({ id }) => branch?.has(id)).map((event) => event['action_id']),
    );
    const isOpen = ({ event: { id } }: Pending) => branch?.has(id) && !answered.has(id);
    this.pending.splice(0, Infinity, ...this.requested.filter(isOpen));
    if (this.status === 'waiting_for_confirmation') this.become('idle');
  }

  /** Whatever the log says now: what nothing answers after it waits. */
  recount(): void {
    const { all } = this.log;
    const isOpen = ({ event }: Pending) =>
      all.includes(event) && !all.slice(all.indexOf(event)).some((one) => one['action_id'] === event.id);
    this.pending.splice(0, Infinity, ...this.requested.filter(isOpen));
    if (this.status === 'waiting_for_confirmation' && this.pending.length === 0) this.become('idle');
  }

  /** The last action that waits becomes another one, under its ID. */
  alter(command: string): void {
    const last = this.pending.at(-1);
    const told = last?.event['action'] as { command?: string } | undefined;
    if (!last || told?.command !== last.action.command) return;
    last.event['action'] = { ...told, command };
    last.action = { ...last.action, command };
  }

  /** The commands of the actions that wait. */
  get waiting(): string[] {
    return this.pending.map(({ action }) => action.command ?? '');
  }

  /** Another action waits, too, told in a way of its own: written by `write` with the members of its event. */
  slip(action: ScriptedAction, write: (event: AgentEventRecord, log: EventLog) => AgentEventRecord): void {
    const { tool, action: call } = callOf(action);
    const event = write(this.log.planAction(tool, call, { risk: 'HIGH' }), this.log);
    this.wait({ event, action, unasked: false });
  }

  private wait(one: Pending): void {
    this.pending.push(one);
    this.requested.push(one);
  }

  /** Works like a run, as on real servers. */
  accept(): void {
    if (this.status === 'waiting_for_confirmation')
      this.do({ do: 'accept', ids: this.pending.map(({ event }) => event.id) }, this.waiting);
    this.run();
  }

  /** Rejects everything without a result, even a command that's running. */
  reject(reason: string): void {
    // It’s taken for a pause, which has no effect while the agent waits.
    if (!this.habits.rejects) return;
    if (this.status === 'waiting_for_confirmation') this.become('idle');
    for (const { event } of this.pending.splice(0))
      this.log.add('UserRejectObservation', 'environment', {
        tool_name: event['tool_name'],
        tool_call_id: event['tool_call_id'],
        rejection_reason: reason,
        action_id: event.id,
      });
  }

  pause(): void {
    if (this.status === 'idle') this.becomePaused();
    else if (this.status !== 'running') return;
    else if (this.habits.pause === 'atOnce') this.becomePaused();
    else if (this.habits.pause === 'later') this.pauseAsked = true;
    else {
      this.log.add('PauseEvent', 'user');
      this.pauseAsked = !this.runsOn;
    }
  }

  interrupt(): void {
    if (this.status !== 'running') return;
    this.become('paused');
    this.log.add('InterruptEvent', 'user');
    this.interruption?.();
  }

  private do(deed: Deed, commands: string[]): void {
    this.deeds.push(deed);
    this.commands.push(commands);
  }

  private becomePaused(): void {
    this.become('paused');
    this.log.add('PauseEvent', 'user');
  }

  private become(status: string): void {
    this.status = status;
    this.log.state('execution_status', status);
  }

  private async loop(): Promise<void> {
    this.looping = true;
    this.become('running');
    for (;;) {
      const step = this.doStep();
      this.stepEnd = step;
      await step;
      this.stepEnd = undefined;
      if (this.queuedRun && this.status === 'waiting_for_confirmation') this.become('running');
      this.queuedRun = false;
      if (this.pauseAsked && this.status === 'running') {
        if (this.habits.pause === 'later') this.becomePaused();
        else this.become('paused');
      }
      [this.pauseAsked, this.superseded] = [false, false];
      if (this.status !== 'running') break;
    }
    this.looping = false;
  }

  private async doStep(): Promise<void> {
    if (this.pending.length > 0) return this.execute();
    const heard = this.unanswered;
    if (await this.takes(this.modelMs)) return;
    if (this.unanswered === heard) this.unanswered = undefined;
    this.prompt += 1_300;
    this.log.state('stats', this.stats);
    const next = this.script.shift() ?? { say: `About “${heard ?? 'nothing new'}”: done.` };
    if ('act' in next) return this.act(next.act, next.thought);
    this.answer(next);
  }

  /** Takes a step that never needs approval. */
  private answer(next: Exclude<ScriptStep, { act: unknown }>): void {
    const { log } = this;
    if ('think' in next) {
      const event = log.action('think', { kind: 'ThinkAction', thought: next.think });
      log.observation(event, 'ThinkObservation', 'Your thought has been logged.');
    } else if ('plan' in next) {
      const task_list = next.plan.map((task) => ({ notes: '', ...task }));
      const event = log.action('task_tracker', { kind: 'TaskTrackerAction', command: 'plan', task_list });
      log.observation(event, 'TaskTrackerObservation', 'Plan updated.', { command: 'plan', task_list });
    } else if ('invalid' in next) {
      const event = log.action('terminal', null);
      const { tool_name, tool_call_id } = event;
      log.add('AgentErrorEvent', 'agent', { tool_name, tool_call_id, error: next.invalid });
    } else if ('condense' in next) {
      log.add('CondensationRequest', 'environment');
      log.add('Condensation', 'environment', { forgotten_event_ids: [], summary: next.condense });
    } else if ('fail' in next) {
      this.become('error');
      log.add('ConversationErrorEvent', 'environment', { code: 'ModelError', detail: next.fail });
    } else if ('stuck' in next) this.become('stuck');
    else if ('finish' in next) {
      const event = log.action('finish', { kind: 'FinishAction', message: next.finish });
      log.observation(event, 'FinishObservation', next.finish);
      this.end();
    } else {
      log.message('agent', next.say);
      this.end();
    }
  }

  /** A message that arrived during the last step keeps the agent going. */
  private end(): void {
    if (this.unanswered === undefined) this.become('finished');
  }

  private async act(actions: ScriptedAction[], thought = ''): Promise<void> {
    const asks = actions.some(({ risk }) => this.needsApproval(risk));
    this.request(actions, thought, !asks);
    if (!asks) await this.execute();
    else if (this.superseded) {
      const { status } = this;
      this.become('idle');
      this.reject('Superseded by a new user message');
      this.become(status);
    } else this.become('waiting_for_confirmation');
  }

  private request(actions: ScriptedAction[], thought: string, unasked: boolean): void {
    for (const action of actions) {
      const { tool, action: call } = callOf(action);
      const event = this.log.action(tool, call, { thought, risk: action.risk ?? 'UNKNOWN' });
      this.wait({ event, action, unasked });
    }
  }

  private needsApproval(risk: ScriptedAction['risk']): boolean {
    if (this.policy['kind'] === 'NeverConfirm') return false;
    if (this.policy['kind'] === 'AlwaysConfirm' || risk === undefined) return true;
    return risks.indexOf(risk) >= risks.indexOf(String(this.policy['threshold']));
  }

  private async execute(): Promise<void> {
    // Once a batch has begun, another policy doesn’t stop it.
    const asksNothing = this.policy['kind'] === 'NeverConfirm';
    for (let next = this.pending[0]; next; next = this.pending[0]) {
      const { event, action, unasked } = next;
      const deed: Deed = { do: 'execute', id: event.id, unasked: unasked || asksNothing };
      this.do(deed, [action.command ?? '']);
      const interrupted = await this.takes(action.ms ?? 10);
      if (this.pending[0] === next) {
        this.pending.shift();
        addResult(
          this.log,
          event,
          interrupted ? { ...action, output: 'Interrupted', exitCode: 130 } : action,
        );
      }
      if (interrupted) {
        this.pending
          .splice(0)
          .forEach((rest) => addResult(this.log, rest.event, { ...rest.action, exitCode: 130 }));
        return;
      }
    }
  }

  /** Waits `ms` milliseconds. Resolves to whether the wait was interrupted. */
  private takes(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(ms, () => resolve(false));
      this.interruption = () => {
        cancel();
        resolve(true);
      };
    });
  }
}
