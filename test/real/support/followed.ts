import { createAgentClient, readAgentVersion } from '../../../src/api/agent/client';
import type { OpenSocket } from '../../../src/api/agent/socket';
import { createSandboxWorkspace } from '../../../src/api/agent/workspace';
import type { Head } from '../../../src/shared/transcript';
import { LiveConversation } from '../../../src/state/transcript/liveConversation';
import type { TranscriptPorts } from '../../../src/state/transcript/ports';
import { real, realClient } from './suite';

/** The model of a conversation, as a window has it; `own` is what a window has of its own. */
export function follow(
  id: string,
  openSocket: OpenSocket,
  client = realClient(),
  own: Partial<TranscriptPorts> = {},
): LiveConversation {
  return new LiveConversation(id, {
    client,
    readVersion: (address, signal) => readAgentVersion(address, {}, signal),
    createAgentClient: (address, key, version) => createAgentClient(address, key, version, { openSocket }),
    createWorkspace: (address, key, version) => createSandboxWorkspace(address, key, version, {}),
    acceptOrigin: () => Promise.resolve(false),
    exclusively: (_id, work) => work(),
    outbox: { read: () => [], write: () => undefined },
    readSecrets: () => Promise.resolve([real().service.sessionKey]),
    onDidList: () => ({ dispose: () => undefined }),
    describe: String,
    timer: { setTimeout, clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout) },
    now: Date.now,
    ...own,
  });
}

/** Resolves once the head is as wanted. */
export function until(model: LiveConversation, fits: (head: Head) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!fits(model.head)) return;
      following.dispose();
      resolve();
    };
    const following = model.onDidChange(look);
    look();
  });
}
