import type { ApiClient } from '../api/client';
import { unlessAborted } from '../api/signals';
import { toolIds, type ToolId } from '../ids';
import type { ServiceModel } from '../state/serviceModel';
import { clientOf, type SessionStore } from '../state/session';
import type { StartTasks } from '../state/startTasks';
import { pauseSandbox, resumeSandbox } from './changeSandbox';
import { connectionChanged, errorForModel, ToolError, unconnected } from './errors';
import { listConversations } from './listConversations';
import { listSandboxes } from './listSandboxes';
import { startConversation } from './startConversation';
import { startSandbox } from './startSandbox';
import type { Present, Question, Tool } from './tool';

/** What the tools need of the extension. */
export interface ToolNeeds {
  session: SessionStore;
  model: ServiceModel;
  starts: StartTasks;
}

/** What the editor shows before and while a tool runs. */
export interface Prepared {
  doing: string;
  /** Present for every call that would change something. */
  question: Question | undefined;
}

const tools: Record<ToolId, Tool> = {
  [toolIds.listSandboxes]: listSandboxes,
  [toolIds.listConversations]: listConversations,
  [toolIds.startSandbox]: startSandbox,
  [toolIds.pauseSandbox]: pauseSandbox,
  [toolIds.resumeSandbox]: resumeSandbox,
  [toolIds.startConversation]: startConversation,
};

/** How many questions are remembered; a chat asks a few at once. */
const mostAsked = 50;

/** The tools, over the session and the lists that the commands use. */
export class Toolbox {
  /** Whose data the user was asked about, by tool and input. */
  private readonly asked = new Map<string, ApiClient | undefined>();

  constructor(private readonly needs: ToolNeeds) {}

  /** Says what a call would do. Changes nothing; never rejects but for the signal. */
  async prepare(id: ToolId, input: unknown = {}, signal: AbortSignal): Promise<Prepared> {
    const tool = tools[id];
    const present = this.present();
    if (tool.changes) this.remember(keyOf(id, input), present?.client);
    if (!present) return { doing: tool.doing(), question: undefined };
    // The question tells the states of the sandboxes.
    if (tool.changes && !present.model.sandboxes.state.loaded) {
      await unlessAborted(present.model.refresh('sandboxes'), signal);
    }
    return { doing: tool.doing(), question: tool.question(input, present) };
  }

  /** Does it. Resolves to text for the model; rejects with `ToolError`, whose message is for the model too. */
  async invoke(id: ToolId, input: unknown = {}, signal: AbortSignal): Promise<string> {
    const tool = tools[id];
    const present = this.present();
    if (!present) throw new ToolError(unconnected(this.needs.session.current));
    const key = keyOf(id, input);
    if (this.asked.has(key) && this.asked.get(key) !== present.client) throw new ToolError(connectionChanged);
    try {
      return await tool.run(input, present, signal);
    } catch (error) {
      throw error instanceof ToolError ? error : new ToolError(errorForModel(error));
    }
  }

  private present(): Present | undefined {
    const { session, model, starts } = this.needs;
    const client = clientOf(session.current);
    if (!client || !('connection' in session.current)) return undefined;
    return { connection: session.current.connection, client, model, starts };
  }

  private remember(key: string, client: ApiClient | undefined): void {
    this.asked.delete(key);
    this.asked.set(key, client);
    const [oldest] = this.asked.keys();
    if (this.asked.size > mostAsked && oldest !== undefined) this.asked.delete(oldest);
  }
}

const keyOf = (id: ToolId, input: unknown) => JSON.stringify([id, input]);
