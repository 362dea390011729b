import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { errorWords } from '../../../src/editor/errorText';
import { Attempts } from '../../../src/features/start/model/attempts';
import type { AgentChoice } from '../../../src/features/start/model/choice';
import { StartTasks } from '../../../src/features/start/model/startTasks';
import type { FlatClient } from '../../support/builders/client';
import { real } from './suite';

/** Starts as in a window, and the attempts that it remembers; nothing is stored. */
export function startsOfAttempts(): { attempts: Attempts; starts: StartTasks } {
  const stored = new Map<string, unknown>();
  const attempts = new Attempts(
    { get: (key) => stored.get(key), update: (key, value) => Promise.resolve(void stored.set(key, value)) },
    String,
  );
  const starts = new StartTasks({
    ...{ read: () => undefined, write: () => undefined, newId: randomUUID, now: Date.now },
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    attempted: (...told) => attempts.keep(...told),
    describe: errorWords,
  });
  return { attempts, starts };
}

/** The default agent of an agent server with the scripted model, in a worktree of this folder; it never asks. */
export async function agentIn(client: FlatClient, folder: string): Promise<AgentChoice> {
  const { agents } = client;
  assert.ok(agents);
  const model = { model: 'openai/scripted', baseUrl: real().modelUrl, key: 'key-of-the-model' };
  await agents.saveModel('default', model);
  const { profiles, active_agent_profile_id: active } = await agents.listAgentProfiles();
  const profile = profiles.find(({ id }) => id === active) ?? assert.fail('no agent');
  return { folder, isWorktree: true, profile, policy: 'never' };
}
