import { createAgentClient, readAgentServer, type AgentOptions } from '../../../src/api/agent/client';
import { createSandboxWorkspace } from '../../../src/api/agent/workspace';
import { systemClock } from '../../../src/api/http/clock';
import type { TranscriptPorts } from '../../../src/features/live/model/ports';

/** The ports of a conversation: agent servers are reached with `options`, and everything else does nothing. */
export function conversationPorts(
  client: TranscriptPorts['client'],
  options: AgentOptions,
  more: Partial<TranscriptPorts> = {},
): TranscriptPorts {
  return {
    client,
    readServer: (address, signal) => readAgentServer(address, options, signal),
    createAgentClient: (address, key, version) => createAgentClient(address, key, version, options),
    createWorkspace: (address, key, server) => createSandboxWorkspace(address, key, server, options),
    acceptOrigin: () => Promise.resolve(false),
    agreeToResume: () => Promise.resolve(true),
    acts: () => undefined,
    exclusively: (_id, work) => work(),
    outbox: { read: () => [], write: () => undefined },
    readSecrets: () => Promise.resolve([]),
    areSecretsUnread: () => false,
    onDidChangeSecrets: () => ({ dispose: () => undefined }),
    startedAs: () => undefined,
    onDidList: () => ({ dispose: () => undefined }),
    describe: String,
    ...systemClock,
    ...more,
  };
}
