import assert from 'node:assert/strict';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../../src/editor/networkFetch';
import type { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { SandboxPlace } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { startBesideOthers, startOnServer, useModel, writingStep } from './conversations';
import { follow, until } from './followed';
import { real, realClient } from './suite';

/** Where an agent has worked. */
export interface Workplace {
  model: LiveConversation;
  place: SandboxPlace;
  /** Runs a command in the agent’s folder, which has to succeed; resolves to its output. */
  shell: (command: string) => Promise<string>;
}

/** Lets an agent write `by-the-agent.txt`, and resolves once it has finished. */
export async function openWorkplace(): Promise<Workplace> {
  const isServer = real().release.generation === 'agentServer';
  if (!isServer) await useModel();
  real().model.script(writingStep('by-the-agent.txt', 'by the agent'));
  const client = realClient();
  await checkConnection(client);
  const id = isServer ? await startOnServer() : await startBesideOthers(client, 'Write the file.');
  const model = follow(id, await createOpenSocket({}, undefined), client);
  model.keepCurrent();
  if (isServer) {
    await until(model, ({ readAt }) => readAt !== null);
    assert.deepEqual(await model.send('Write the file.'), { kind: 'done' });
  }
  await until(model, ({ execution }) => execution === 'finished');
  const place = await model.changes.place();
  const shell = async (command: string) => {
    const { exitCode, stdout, stderr } = await place.workspace.execute({ command, cwd: place.workingDir });
    assert.equal(exitCode, 0, stderr);
    return stdout.trim();
  };
  return { model, place, shell };
}
