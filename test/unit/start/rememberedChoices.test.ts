import assert from 'node:assert/strict';
import type { ConversationChoice } from '../../../src/features/start/model/choice';
import { RememberedChoices } from '../../../src/features/start/model/rememberedChoices';

const service = 'https://one.example.com';
const place = { kind: 'default' } as const;
const everywhere = () => true;

function setUp(stored?: unknown) {
  const store = { value: stored };
  const create = () =>
    new RememberedChoices({
      read: () => store.value,
      write: (value) => (store.value = JSON.parse(JSON.stringify(value)) as unknown),
    });
  return { store, create };
}

describe('what was selected for a repository', () => {
  const offered: ConversationChoice = { repository: 'Acme/shop', branch: 'mine', place };
  const chosen: ConversationChoice = {
    ...offered,
    provider: 'github',
    place: { kind: 'new', specId: 'agent:2' },
    model: 'large',
    title: 'Only this one',
  };

  it('is offered the next time, after a reload, without the title', () => {
    const { create } = setUp();
    create().keep(service, chosen);
    const { title: _title, ...rest } = chosen;
    assert.deepEqual(create().offered(service, { ...offered, repository: 'acme/Shop' }, everywhere), {
      ...rest,
      repository: 'Acme/shop',
    });
  });

  it('isn’t offered for another repository or service', () => {
    const { create } = setUp();
    create().keep(service, chosen);
    const other = { ...offered, repository: 'acme/other' };
    assert.deepEqual(create().offered(service, other, everywhere), other);
    assert.deepEqual(create().offered('https://two.example.com', offered, everywhere), offered);
    assert.deepEqual(create().offered(service, { place }, everywhere), { place });
  });

  it('is offered without a repository, too', () => {
    const { create } = setUp();
    create().keep(service, { place, model: 'large' });
    assert.equal(create().offered(service, { place }, everywhere).model, 'large');
    assert.equal(create().offered(service, { place, repository: 'acme/shop' }, everywhere).model, undefined);
  });

  it('has the branch that is checked out now', () => {
    const { create } = setUp();
    for (const branch of ['mine', 'release', undefined]) {
      create().keep(service, { ...chosen, branch });
      assert.equal(create().offered(service, { ...offered, branch: 'later' }, everywhere).branch, 'later');
    }
  });

  it('has no sandbox that is gone, and none in place of the one that a conversation is started from', () => {
    const { create } = setUp();
    create().keep(service, { ...chosen, place: { kind: 'existing', sandboxId: 'sb-1' } });
    assert.deepEqual(create().offered(service, offered, (id) => id === 'sb-1').place, {
      kind: 'existing',
      sandboxId: 'sb-1',
    });
    assert.deepEqual(create().offered(service, offered, () => false).place, place);
    create().keep(service, chosen);
    assert.deepEqual(create().offered(service, offered, () => false).place, chosen.place);
    create().keep(service, { ...chosen, place: { kind: 'existing', sandboxId: 'sb-1' } });
    const own = { kind: 'existing', sandboxId: 'sb-2' } as const;
    assert.deepEqual(create().offered(service, { ...offered, place: own }, everywhere).place, own);
  });

  it('is bounded, and survives what it can’t read', () => {
    const { store, create } = setUp({ no: 'list' });
    for (let count = 0; count < 60; count += 1)
      create().keep(service, { place, repository: `acme/${count}`, model: `m-${count}` });
    assert.equal((store.value as unknown[]).length, 50);
    for (let count = 0; count < 60; count += 1)
      create().keep(service, { place, repository: 'acme/59', model: 'm-59' });
    assert.equal((store.value as unknown[]).length, 50);
    assert.equal(create().offered(service, { place, repository: 'acme/59' }, everywhere).model, 'm-59');
    assert.equal(create().offered(service, { place, repository: 'acme/9' }, everywhere).model, undefined);
  });
});
