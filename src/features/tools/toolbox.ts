import type { ApiClient } from '../../api/service/client';
import type { Conversation } from '../../api/service/schemas/conversation';
import { unlessAborted } from '../../api/http/signals';
import { toolIds, type ToolId } from '../../ids';
import { clientOf, type SessionStore } from '../../core/session/session';
import { pauseSandbox, resumeSandbox } from './changeSandbox';
import { listChanges, readChange } from './changes';
import { compareConversationsTool } from './compareConversations';
import { Consents } from './consents';
import { errorForModel, ToolError, unconnected } from './errors';
import { listFolderTool, readFileTool, searchFilesTool } from './files';
import { listAutomations } from './listAutomations';
import { listConversations, listSandboxes } from './lists';
import { startConversationTool } from './startConversation';
import { startSandbox } from './startSandbox';
import { messageConversation } from './messageConversation';
import { readConversation } from './readConversation';
import { readUsage } from './readUsage';
import { searchConversations } from './searchConversations';
import type { ToolContext, Question, Tool } from './tool';

/** What the tools need from the extension. */
export interface ToolNeeds extends Pick<
  ToolContext,
  'model' | 'starts' | 'conversations' | 'newSearch' | 'openFolder'
> {
  session: SessionStore;
}

/** What the editor shows before and while a tool runs. */
export interface PreparedTool {
  doing: string;
  /** Defined for every call that would change something. */
  question: Question | undefined;
}

const tools: Record<ToolId, Tool> = {
  [toolIds.listSandboxes]: listSandboxes,
  [toolIds.listConversations]: listConversations,
  [toolIds.startSandbox]: startSandbox,
  [toolIds.pauseSandbox]: pauseSandbox,
  [toolIds.resumeSandbox]: resumeSandbox,
  [toolIds.startConversation]: startConversationTool,
  [toolIds.readConversation]: readConversation,
  [toolIds.searchConversations]: searchConversations(),
  [toolIds.compareConversations]: compareConversationsTool,
  [toolIds.readUsage]: readUsage,
  [toolIds.listChanges]: listChanges,
  [toolIds.readChange]: readChange,
  [toolIds.readFile]: readFileTool,
  [toolIds.listFolder]: listFolderTool,
  [toolIds.searchFiles]: searchFilesTool,
  [toolIds.messageConversation]: messageConversation,
  [toolIds.listAutomations]: listAutomations,
};

/** Lists that were read longer ago, in milliseconds, are read again for a question. Views on screen usually aren't older. */
const recentMs = 20_000;

/** The tools, using the same session and lists as the commands. */
export class Toolbox {
  private readonly consents = new Consents();
  /** The conversations that questions name, as they were read for them: lists may be older, or not have them. */
  private readonly found = new WeakMap<ApiClient, Map<string, Conversation>>();

  constructor(private readonly needs: ToolNeeds) {}

  /** Says what a call would do. Changes nothing; rejects only if `signal` is aborted. */
  async prepare(id: ToolId, input: unknown = {}, signal: AbortSignal): Promise<PreparedTool> {
    const tool = tools[id];
    const context = this.context();
    if (!context) return { doing: tool.doing(), question: undefined };
    const { sandboxes, conversations } = context.model;
    const isRecent = ({ readAt }: { readAt: number | undefined }) =>
      readAt !== undefined && Math.abs(context.now - readAt) < recentMs;
    // The question names sandboxes, including those that the service may pause.
    if (tool.changes && !(isRecent(sandboxes.state) && isRecent(conversations.state))) {
      await unlessAborted(context.model.refresh('sandboxes', 'conversations'), signal);
    }
    await this.readNamed(tool.asksAbout(input), context, signal);
    const question = tool.question(input, context);
    if (question) this.consents.remember(id, input, context, question);
    return { doing: tool.doing(), question };
  }

  /**
   * Runs the tool, with the user's consent if it changes something. Resolves to text for the model; rejects with
   * `ToolError`, also with a message for the model.
   */
  async invoke(id: ToolId, input: unknown = {}, signal: AbortSignal): Promise<string> {
    const tool = tools[id];
    const context = this.context();
    if (!context) throw new ToolError(unconnected(this.needs.session.current));
    try {
      await this.readNamed(tool.asksAbout(input), context, signal).catch(() => undefined);
      if (tool.question(input, context))
        this.consents.use(id, input, context.client, (now) => tool.question(input, { ...context, now }));
      return await tool.run(id, input, context, signal);
    } catch (error) {
      throw error instanceof ToolError ? error : new ToolError(errorForModel(error));
    }
  }

  /** Reads the conversation that a question names; one that can't be read stays as it was known. */
  private async readNamed(
    id: string | undefined,
    { client }: ToolContext,
    signal: AbortSignal,
  ): Promise<void> {
    if (id === undefined) return;
    const conversation = await unlessAborted(
      client.getConversation(id, signal).catch(() => null),
      signal,
    );
    if (!conversation) return;
    const found = this.found.get(client) ?? new Map<string, Conversation>();
    this.found.set(client, found.set(id, conversation));
  }

  private context(): ToolContext | undefined {
    const { session, ...parts } = this.needs;
    const client = clientOf(session.current);
    if (!client || !('connection' in session.current)) return undefined;
    return {
      ...parts,
      connection: session.current.connection,
      client,
      conversation: (id) => this.found.get(client)?.get(id) ?? parts.model.conversation(id),
      now: Date.now(),
    };
  }
}
