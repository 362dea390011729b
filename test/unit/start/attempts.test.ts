import assert from 'node:assert/strict';
import {
  areComparable,
  attemptChoice,
  Attempts,
  attemptTags,
} from '../../../src/features/start/model/attempts';
import type { ConversationChoice } from '../../../src/features/start/model/choice';

const service = 'https://one.example';

function setUp(stored?: unknown) {
  const kept = new Map<string, unknown>([[service, stored]]);
  const store = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  return { attempts: new Attempts(store, String), kept };
}

describe('attempts', () => {
  it('never share a sandbox or a folder, whatever was selected', () => {
    const places: ConversationChoice['place'][] = [
      { kind: 'default' },
      { kind: 'existing', sandboxId: 'sb-1' },
      { kind: 'new', specId: 'image' },
    ];
    assert.deepEqual(
      places.map((place) => attemptChoice({ place }, { label: 'One' }).place),
      [{ kind: 'new' }, { kind: 'new' }, { kind: 'new', specId: 'image' }],
    );
    const profile = { id: 'p', name: 'default' };
    const agent = { folder: '/shop', isWorktree: false, profile, modelProfile: 'cheap' };
    const place = { kind: 'default' } as const;
    assert.deepEqual(attemptChoice({ place, agent }, { label: '' }).agent, { ...agent, isWorktree: true });
    // A container has no worktree.
    const contained = attemptChoice({ place, agent: { ...agent, runtime: 'docker' } }, { label: '' });
    assert.equal(contained.agent?.runtime, 'local');
  });

  it('differ in a model, a model profile, or an agent', () => {
    const place = { kind: 'default' } as const;
    const profile = { id: 'p', name: 'default' };
    const agent = { folder: '/shop', isWorktree: false, profile, modelProfile: 'cheap' };
    const other = { id: 'q', name: 'reviewer' };
    const { model, title } = attemptChoice({ place, title: 'Fix it' }, { label: 'GPT', model: 'gpt' });
    assert.deepEqual([model, title], ['gpt', 'Fix it – GPT']);
    assert.equal(attemptChoice({ place, title: 'Fix it' }, { label: '' }).title, 'Fix it');
    assert.equal(attemptChoice({ place }, { label: 'GPT' }).title, undefined);
    const own = { ...agent, agentModel: 'opus' };
    const byProfile = attemptChoice({ place, agent: own }, { label: 'reviewer', profile: other }).agent;
    assert.deepEqual(
      [byProfile?.profile, byProfile?.modelProfile, byProfile?.agentModel],
      [other, undefined, undefined],
    );
    const byModel = attemptChoice({ place, agent }, { label: 'dear', modelProfile: 'dear' });
    assert.deepEqual([byModel.agent?.profile, byModel.agent?.modelProfile], [profile, 'dear']);
  });

  it('are recognized by tags, or by what this computer remembers of the service', () => {
    const { attempts } = setUp();
    const attempt = { group: 'g', label: 'Claude' };
    assert.deepEqual(attempts.of(service, { id: 'c-1', tags: attemptTags(attempt) }), attempt);
    assert.equal(Object.keys(attemptTags({ group: 'g', label: '' })).length, 1);
    assert.deepEqual(attempts.of(service, { id: 'c-1', tags: attemptTags({ group: 'g', label: '' }) }), {
      group: 'g',
      label: '',
    });
    let changes = 0;
    attempts.onDidChange(() => (changes += 1));
    attempts.keep(service, '0123456789abcdef0123456789abcdef', attempt);
    assert.equal(changes, 1);
    const hyphened = { id: '01234567-89ab-cdef-0123-456789abcdef' };
    assert.equal(attempts.of(service, hyphened)?.group, 'g');
    assert.equal(attempts.of('https://other.example', hyphened), undefined);
    assert.equal(attempts.of(service, { id: 'c-2' }), undefined);
  });

  it('are remembered as far as they can be read, the last 200 of a service', () => {
    for (const stored of [null, 7, 'x', {}, [null, { id: 'c-1' }, { group: 'g' }]]) {
      const { attempts } = setUp(stored);
      assert.equal(attempts.of(service, { id: 'c-1', tags: { agentworkspaceattempts: 7 } }), undefined);
    }
    const { attempts, kept } = setUp([{ id: 'of a later version' }]);
    for (let number = 0; number < 210; number += 1)
      attempts.keep(service, `c-${number}`, { group: 'g', label: '' });
    attempts.keep(service, 'c-209', { group: 'h', label: '' });
    assert.equal(attempts.of(service, { id: 'c-209' })?.group, 'h');
    assert.ok(attempts.of(service, { id: 'c-10' }));
    assert.equal(attempts.of(service, { id: 'c-9' }), undefined);
    assert.deepEqual((kept.get(service) as unknown[]).at(-1), { id: 'of a later version' });
  });

  it('are two to eight', () => {
    assert.deepEqual([1, 2, 8, 9].map(areComparable), [false, true, true, false]);
  });
});
