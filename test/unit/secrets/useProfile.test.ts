import assert from 'node:assert/strict';
import { Refusal } from '../../../src/core/basics/refusal';
import { profileLosses, useProfile } from '../../../src/features/secrets/model/useProfile';
import { aClient } from '../../support/builders/client';

describe('using a model profile', () => {
  const profiles = [
    { name: 'work', api_key_set: true },
    { name: 'home', api_key_set: false },
  ];

  /** Reads what is there, lets the user answer, and uses the profile with what is there then. */
  async function used(name: string, before: string | null, after: string | null, key = true) {
    const calls: string[] = [];
    const client = aClient({
      listProfiles: () =>
        Promise.resolve({
          profiles: profiles.map((one) => (one.name === 'work' ? { ...one, api_key_set: key } : one)),
          active_profile: after,
        }),
      activateProfile: (one) => Promise.resolve(void calls.push(one)),
    });
    await useProfile(client, name, profileLosses({ profiles, active_profile: before }, name)).catch(
      (error: unknown) => assert.ok(error instanceof Refusal),
    );
    return calls;
  }

  it('says what is lost with the profile that was named, and no other', () => {
    const losses = (name: string, active_profile: string | null) =>
      profileLosses({ profiles, active_profile }, name);
    assert.deepEqual(losses('home', 'work'), { model: false, key: true });
    assert.deepEqual(losses('work', null), { model: true, key: false });
    assert.deepEqual(losses('nobody', 'work'), { model: false, key: false });
  });

  it('replaces what the user was told that it replaces', async () => {
    assert.deepEqual(await used('work', 'home', 'home'), ['work']);
    assert.deepEqual(await used('home', null, null), ['home']);
    assert.deepEqual(await used('home', null, 'work'), ['home']);
  });

  it('replaces no model that somebody else has set while the user was asked', async () => {
    assert.deepEqual(await used('work', 'home', null), []);
  });

  it('clears no key because somebody else has removed that of the profile', async () => {
    assert.deepEqual(await used('work', 'home', 'home', false), []);
  });
});
