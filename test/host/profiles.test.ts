import assert from 'node:assert/strict';
import { createClient } from '../../src/api/service/client';
import { manageProfiles } from '../../src/features/profiles/commands/manage';
import { SessionStore } from '../../src/core/session/session';
import { control, hostRun } from '../support/hostRun';
import { answering } from './answering';

interface State {
  settings: { llm_model: string | null };
  profiles: Record<string, { model: string | null }>;
}

/** Recorded when the form has to reload the settings. */
const formRefreshed = '(form refreshed)';

describe('Manage Model Profiles', () => {
  const state = async () => (await control('state')) as State;
  const profiles = async () => (await state()).profiles;

  /** Runs the command with these answers; returns the questions and messages. */
  async function manage(...answers: string[]): Promise<string[]> {
    const { url: baseUrl, sessionKey } = hostRun();
    const client = createClient({ baseUrl, sessionKey });
    await client.getSettings();
    const connection = { name: 'Team', baseUrl, origin: baseUrl };
    const session = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey }),
      createClient: () => client,
    });
    await session.reload();
    const { said, restore } = answering(answers);
    try {
      await manageProfiles({
        session,
        refreshSettingsForm: () => {
          said.push(formRefreshed);
          return Promise.resolve();
        },
        lock: { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) },
      })();
    } finally {
      restore();
      session.dispose();
    }
    return said;
  }

  if (hostRun().profile === 'current') {
    it('saves, renames, uses, and deletes a profile, and asks before anything is lost', async () => {
      await manage('Save Current Model as Profile…', 'work');
      assert.ok('work' in (await profiles()));
      await manage('work', 'Rename…', 'office');
      assert.deepEqual(Object.keys(await profiles()), ['office']);
      const { llm_model } = (await state()).settings;
      await control('state', { settings: { llm_model: 'another/model' } });
      const used = await manage('office', 'Use for New Conversations');
      assert.deepEqual(used, ['Use the model profile “office”?', formRefreshed]);
      assert.equal((await state()).settings.llm_model, llm_model);
      const again = await manage('office', 'Use for New Conversations');
      assert.deepEqual(again, [formRefreshed], 'nothing would be lost');
      const deleted = await manage('office', 'Delete');
      assert.deepEqual(deleted, ['Delete “office”?', formRefreshed]);
      assert.deepEqual(await profiles(), {});
    });

    it('adds a profile with another model, while the current one stays in use', async () => {
      const { llm_model } = (await state()).settings;
      await manage('New Profile…', 'other', ' other/model ', 'canary', '');
      assert.equal((await profiles())['other']?.model, 'other/model');
      assert.equal((await state()).settings.llm_model, llm_model);
      await manage('other', 'Delete');
    });
  } else {
    it('says that an older service has no profiles', async () => {
      const [said] = await manage();
      assert.match(said ?? '', /no model profiles\. Release 1\.7 and later have them\./);
    });
  }
});
