import { randomBytes } from 'node:crypto';
import { realClock } from '../clock';
import { lifelikeState } from '../seed';
import { AgentServer } from './agentServer';
import type { AgentConversation } from './conversation';
import { giveHistory } from './history';
import { AgentPort } from './port';
import type { Release } from './release';
import { workingDir } from './sandboxFiles';

/** How an agent server starts that belongs to no service. */
interface ByItselfOptions {
  release: Release;
  /** Random if absent. */
  sessionKey?: string;
  /** Any free one if absent or 0. */
  port?: number;
  /** Begins with conversations that have a past. */
  seed?: boolean;
}

/** A running agent server by itself. */
export interface AgentServerByItself {
  /** Without a slash at the end. */
  readonly url: string;
  readonly sessionKey: string;
  /** By id without hyphens. */
  readonly conversations: ReadonlyMap<string, AgentConversation>;
  /** The paths that were asked for, oldest first. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts an agent server on 127.0.0.1. */
export async function startAgentServer(options: ByItselfOptions): Promise<AgentServerByItself> {
  const { release, sessionKey = randomBytes(16).toString('hex') } = options;
  const clock = realClock();
  const server = new AgentServer(release, sessionKey, clock);
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
    close: async () => {
      clock.stop();
      server.sockets.drop(1001);
      await port.close();
      server.files.dispose();
    },
  };
}

/** One of each state that agents have in the lifelike data of a service. */
function seed(server: AgentServer, now: number): void {
  const states = new Map(
    [...lifelikeState(now).conversations.values()].map((record) => [record.execution_status, record]),
  );
  for (const { id, title, execution_status: status } of states.values()) {
    const agent = server.add({ id, title, modelMs: 1_500 });
    giveHistory(agent, title ?? '', status, workingDir);
  }
}
