import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { Automation } from '../../../api/service/automations';
import type { SandboxCalls } from '../../../api/service/sandboxes';
import { type ApiClient, extended } from '../../../api/service/client';
import type { ModelCheck } from '../../../api/service/modelProfiles';
import type { Skill } from '../../../api/service/skills';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Json } from '../../../shared/json';
import { hidesSomething } from '../../../core/settings/masks';
import { type KnownSecrets, secretValues } from '../../transcript';

/**
 * Wraps a client so that titles of conversations, which services make of their first messages, and what a server says of
 * sandboxes, starts, automations, skills, and checks have no known secrets wherever they're shown; and learns the secrets
 * in its answers.
 */
export function maskedClient(client: ApiClient, known: KnownSecrets): ApiClient {
  const masked = (conversation: Conversation): Conversation => {
    known.learn([conversation.session_api_key]);
    const { title } = conversation;
    return title ? { ...conversation, title: known.mask(title) } : conversation;
  };
  const shown = (text: string | null | undefined) => text && known.mask(text);
  const maskedSandboxes = (own: SandboxCalls): SandboxCalls => ({
    ...own,
    getStartTask: async (...args) => {
      const task = await own.getStartTask(...args);
      return task && { ...task, detail: shown(task.detail) };
    },
    createConversation: async (...args) => {
      const created = await own.createConversation(...args);
      if (created.kind === 'conversation') return created;
      const { task } = created;
      return { ...created, task: { ...task, detail: shown(task.detail) } };
    },
    searchSandboxes: async (...args) => {
      const page = await own.searchSandboxes(...args);
      known.learn(page.items.map((sandbox) => sandbox.session_api_key));
      const items = page.items.map((one) => ({ ...one, status_detail: shown(one.status_detail) }));
      return { ...page, items };
    },
  });
  return extended(client, {
    get sandboxes() {
      return client.sandboxes && maskedSandboxes(client.sandboxes);
    },
    get agents() {
      return client.agents && maskedServer(client.agents, known.mask);
    },
    getConversation: async (...args) => {
      const conversation = await client.getConversation(...args);
      return conversation && masked(conversation);
    },
    listConversations: async (...args) => {
      const page = await client.listConversations(...args);
      return { ...page, items: page.items.map(masked) };
    },
    getSettings: async (...args) => {
      const settings = await client.getSettings(...args);
      const secrets = secretValues((settings as { mcp_config?: Json }).mcp_config ?? null);
      // A placeholder for a secret would be masked in turn wherever it stands for another.
      known.learn(secrets.filter((secret) => !hidesSomething(secret)));
      return settings;
    },
  });
}

/** Runs of automations have the session key in their environment, so it may be in what they say about an error. */
function maskedServer(server: AgentServerCalls, mask: (text: string) => string): AgentServerCalls {
  const shown = (text: string | null | undefined) => text && mask(text);
  const maskedText = <T extends Pick<Skill, 'description' | 'content'>>(one: T): T => ({
    ...one,
    description: shown(one.description),
    content: mask(one.content),
  });
  const maskedAutomation = (one: Automation): Automation => ({
    ...one,
    name: shown(one.name),
    prompt: shown(one.prompt),
  });
  const maskedCheck = (check: ModelCheck) => ({ ...check, problem: shown(check.problem) ?? undefined });
  return {
    ...server,
    listAutomations: async (...args) => (await server.listAutomations(...args)).map(maskedAutomation),
    listAutomationRuns: async (...args) =>
      (await server.listAutomationRuns(...args)).map((run) => ({
        ...run,
        current_phase: shown(run.current_phase),
        error_detail: shown(run.error_detail),
      })),
    turnAutomation: async (...args) => maskedAutomation(await server.turnAutomation(...args)),
    listSkills: async (...args) => (await server.listSkills(...args)).map(maskedText),
    listSubAgents: async (...args) => (await server.listSubAgents(...args)).map(maskedText),
    listAddOns: async (...args) =>
      (await server.listAddOns(...args)).map((one) => ({ ...one, description: mask(one.description) })),
    testServer: async (...args) => {
      const outcome = await server.testServer(...args);
      return 'error' in outcome ? { ...outcome, error: mask(outcome.error) } : outcome;
    },
    checkModel: async (...args) => maskedCheck(await server.checkModel(...args)),
    checkModelProfile: async (...args) => maskedCheck(await server.checkModelProfile(...args)),
    checkAgentProfile: async (...args) => {
      const check = await server.checkAgentProfile(...args);
      return { ...check, errors: check.errors.map(mask) };
    },
  };
}
