import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import type { Habits } from './release';
import type { ScriptedAction } from './script';

/** An event as the server sends it. */
export interface AgentEventRecord {
  kind: string;
  id: string;
  timestamp: string;
  source: string;
  [member: string]: unknown;
}

/** A conversation's events, oldest first, with methods that add events of each kind. */
export class EventLog {
  readonly all: AgentEventRecord[] = [];
  private readonly listeners = new Set<(event: AgentEventRecord) => void>();
  private micros = 0;

  constructor(
    private readonly clock: Clock,
    private readonly habits: Pick<Habits, 'terse' | 'branches'>,
  ) {}

  /** The event that the next one comes after; state updates come after it without moving it. */
  leaf: string | undefined;
  /** Milliseconds that the clock of the server is ahead. */
  skewMs = 0;

  /** Calls `listener` with each new event. Returns a function that stops this. */
  onEvent(listener: (event: AgentEventRecord) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  add(kind: string, source: string, members: Record<string, unknown> = {}): AgentEventRecord {
    return this.write(this.plan(kind, source, members));
  }

  /** An event that isn’t written yet. */
  plan(kind: string, source: string, members: Record<string, unknown> = {}): AgentEventRecord {
    const event = {
      kind,
      id: randomUUID(),
      timestamp: this.timestamp(),
      source,
      ...members,
      ...(this.habits.branches && this.leaf !== undefined && { parent_id: this.leaf }),
    };
    return this.habits.terse ? (withoutNulls(event) as AgentEventRecord) : event;
  }

  /** Writes an event as it is. */
  write(event: AgentEventRecord): AgentEventRecord {
    if (event.kind !== 'ConversationStateUpdateEvent') this.leaf = event.id;
    this.all.push(event);
    this.tell(event);
    return event;
  }

  /** Sends an event to those who listen, which isn’t written. */
  tell(event: AgentEventRecord): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  /** Ids of the events on the branch that ends with the leaf; undefined on releases without branches. */
  get branch(): ReadonlySet<string> | undefined {
    if (!this.habits.branches) return undefined;
    const parents = new Map(this.all.map((event) => [event.id, event['parent_id']]));
    const ids = new Set<string>();
    for (let id: unknown = this.leaf; typeof id === 'string' && !ids.has(id); id = parents.get(id))
      ids.add(id);
    return ids;
  }

  message(source: 'user' | 'agent', text: string, images: unknown[] = []): AgentEventRecord {
    return this.add('MessageEvent', source, {
      llm_message: {
        role: source === 'user' ? 'user' : 'assistant',
        content: [...content(text), ...(images.length > 0 ? [{ type: 'image', image_urls: images }] : [])],
        reasoning_content: null,
        thinking_blocks: [],
      },
      llm_response_id: null,
      activated_skills: [],
      extended_content: [],
    });
  }

  state(key: string, value: unknown): void {
    this.add('ConversationStateUpdateEvent', 'environment', { key, value });
  }

  /** A tool call; `action` is null if it didn't validate. */
  action(
    tool: string,
    action: Record<string, unknown> | null,
    words?: { thought?: string; risk?: string },
  ): AgentEventRecord {
    return this.write(this.planAction(tool, action, words));
  }

  /** Likewise, not written yet. */
  planAction(
    tool: string,
    action: Record<string, unknown> | null,
    { thought = '', risk = 'UNKNOWN' }: { thought?: string; risk?: string } = {},
  ): AgentEventRecord {
    const callId = `call_${String(this.all.length).padStart(4, '0')}`;
    return this.plan('ActionEvent', 'agent', {
      thought: thought === '' ? [] : content(thought),
      reasoning_content: null,
      action,
      tool_name: tool,
      tool_call_id: callId,
      tool_call: { id: callId, name: tool, arguments: JSON.stringify(action ?? {}), origin: 'completion' },
      llm_response_id: `chatcmpl-${this.all.length}`,
      security_risk: risk,
    });
  }

  observation(of: AgentEventRecord, kind: string, text: string, members: Record<string, unknown> = {}): void {
    this.add('ObservationEvent', 'environment', {
      tool_name: of['tool_name'],
      tool_call_id: of['tool_call_id'],
      observation: { kind, content: content(text), is_error: false, ...members },
      action_id: of.id,
    });
  }

  private timestamp(): string {
    const now = (this.clock.now() + this.skewMs) * 1_000;
    // Equal times happen only when the clock is set back.
    this.micros = now < this.micros - 60_000_000 ? now : Math.max(now, this.micros + 1);
    const rest = String(this.micros % 1_000).padStart(3, '0');
    return new Date(Math.floor(this.micros / 1_000)).toISOString().slice(0, -1) + rest;
  }
}

const content = (text: string) => [{ cache_prompt: false, type: 'text', text }];

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const set = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(set.map(([name, member]) => [name, withoutNulls(member)]));
}

/** The tool call for a scripted action. */
export function callOf(action: ScriptedAction): { tool: string; action: Record<string, unknown> } {
  if (action.path !== undefined)
    return {
      tool: 'file_editor',
      action: {
        kind: 'FileEditorAction',
        command: action.before === undefined || action.before === null ? 'create' : 'str_replace',
        path: action.path,
        file_text: action.before ? null : (action.after ?? ''),
        old_str: action.before ?? null,
        new_str: action.before ? (action.after ?? '') : null,
        insert_line: null,
        view_range: null,
      },
    };
  if (action.tool !== undefined)
    return { tool: action.tool, action: { kind: 'MCPToolAction', data: action.data ?? {} } };
  return {
    tool: 'terminal',
    action: {
      kind: 'TerminalAction',
      command: action.command ?? 'true',
      is_input: false,
      timeout: null,
      reset: false,
    },
  };
}

/** Adds the result of a scripted action. */
export function addResult(log: EventLog, event: AgentEventRecord, action: ScriptedAction): void {
  if (action.path !== undefined)
    log.observation(event, 'FileEditorObservation', `The file ${action.path} has been edited.`, {
      command: action.before ? 'str_replace' : 'create',
      path: action.path,
      prev_exist: action.before !== undefined && action.before !== null,
      old_content: action.before ?? null,
      new_content: action.after ?? '',
    });
  else if (action.tool !== undefined)
    log.observation(event, 'MCPToolObservation', action.output ?? 'Done.', { tool_name: action.tool });
  else
    log.observation(event, 'TerminalObservation', action.output ?? '', {
      command: action.command ?? 'true',
      exit_code: action.exitCode ?? 0,
      timeout: false,
      metadata: { exit_code: action.exitCode ?? 0, working_dir: '/workspace/project' },
    });
}
