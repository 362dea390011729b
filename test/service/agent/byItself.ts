import { randomBytes, randomUUID } from 'node:crypto';
import { realClock } from '../clock';
import { lifelikeState } from '../seed';
import { AgentServer } from './agentServer';
import { Automations } from './automationRoutes';
import type { AgentConversation } from './conversation';
import { giveHistory } from './history';
import { AgentPort } from './port';
import type { Release } from './release';
import { type SandboxFiles, workingDir } from './sandboxFiles';
import type { ShellState } from './shellRoutes';
import type { StartState } from './startRoutes';

/** Options for an agent server that doesn't belong to a service. */
interface ByItselfOptions {
  release: Release;
  /** Random if absent. */
  sessionKey?: string;
  /** Any free port if absent or 0. */
  port?: number;
  /** Start with conversations that have a history. */
  seed?: boolean;
  /** Where agents run; `local` if absent. */
  runtime?: 'local' | 'docker';
  /** A start can choose between both. */
  selectable?: boolean;
  /** With an automation service beside it. */
  automations?: boolean;
}

/** A running standalone agent server. */
export interface AgentServerByItself {
  /** Without a trailing slash. */
  readonly url: string;
  readonly sessionKey: string;
  /** By id without hyphens. */
  readonly conversations: ReadonlyMap<string, AgentConversation>;
  /** The requested paths, oldest first. */
  readonly asked: readonly string[];
  /** What starts need, and what they sent. */
  readonly starts: StartState;
  /** What its shell runs. */
  readonly shell: ShellState;
  /** The files of its computer. */
  readonly files: SandboxFiles;
  /** What the automation service has; nothing without one. */
  readonly automations: Automations;
  close(): Promise<void>;
}

/** Starts an agent server on 127.0.0.1. */
export async function startAgentServer(options: ByItselfOptions): Promise<AgentServerByItself> {
  const { release, sessionKey = randomBytes(16).toString('hex') } = options;
  const clock = realClock();
  const server = new AgentServer(release, sessionKey, clock, {}, options.runtime, options.selectable);
  const automations = new Automations(() => clock.now());
  if (options.automations) server.automations = automations;
  const asked: string[] = [];
  if (options.seed) seed(server, clock.now());
  const port = new AgentPort((path) => {
    asked.push(path);
    return Promise.resolve(server);
  });
  await port.listen(options.port);
  return {
    url: port.url,
    sessionKey,
    conversations: server.conversations,
    asked,
    starts: server.starts,
    shell: server.shell,
    files: server.host,
    automations,
    close: async () => {
      clock.stop();
      server.sockets.drop(1001);
      await port.close();
      server.dispose();
    },
  };
}

const bearer = { strategy: 'bearer', value: 'stored-issues-token' };

/** Adds one conversation for each agent state in the lifelike data. */
function seed(server: AgentServer, now: number): void {
  const { models, agents, workspaces, secrets, agentSettings } = server.starts;
  const model = agentSettings['llm'] as Record<string, unknown>;
  Object.assign(model, { model: 'demo/large', api_key: 'stored-model-key' });
  agentSettings['mcp_config'] = {
    search: { command: 'uvx', args: ['mcp-search'], env: { SEARCH_TOKEN: 'stored-token' }, enabled: true },
    issues: { url: 'https://issues.example.com/mcp', transport: 'http', auth: bearer, enabled: true },
  };
  secrets.set('NPM_TOKEN', { value: 'stored-npm-token', description: 'Token for the npm registry' });
  models.set('default', { model: 'demo/large', hasKey: true });
  models.set('quick', { model: 'demo/small', hasKey: false });
  agents.push({ id: randomUUID(), name: 'default', kind: 'openhands', model: 'default' });
  agents.push({ id: randomUUID(), name: 'claude', kind: 'acp', model: 'default' });
  server.starts.metaProfile = 'router';
  workspaces.push({ id: workingDir, name: 'project', path: workingDir });
  const states = new Map(
    [...lifelikeState(now).conversations.values()].map((record) => [record.execution_status, record]),
  );
  for (const { id, title, execution_status: status } of states.values()) {
    const agent = server.add({ id, title, modelMs: 1_500 });
    giveHistory(agent, title ?? '', status, workingDir);
  }
}
