import assert from 'node:assert/strict';
import { Templates } from '../../../src/features/start/model/templates';
import { KnownSecrets } from '../../../src/features/transcript/model/knownSecrets';

function setUp() {
  const store: { value: unknown } = { value: undefined };
  const known = new KnownSecrets();
  const create = () =>
    new Templates(
      {
        read: () => store.value,
        write: (value) => (store.value = value && (JSON.parse(JSON.stringify(value)) as unknown)),
      },
      known.mask,
    );
  return { store, known, create };
}

describe('templates of messages', () => {
  it('survive a reload, sorted by name', () => {
    const { create } = setUp();
    create().save({ name: 'Write tests', text: 'Write tests for' });
    create().save({ name: 'Fix', text: 'Fix it' });
    assert.deepEqual(
      create().all.map(({ name }) => name),
      ['Fix', 'Write tests'],
    );
  });

  it('replace the one of the same name', () => {
    const { create } = setUp();
    const templates = create();
    templates.save({ name: 'Fix', text: 'Fix it' });
    templates.save({ name: 'fix', text: 'Fix it well' });
    assert.deepEqual(templates.all, [{ name: 'fix', text: 'Fix it well' }]);
    assert.equal(templates.named('FIX')?.text, 'Fix it well');
  });

  it('are renamed in place, also to the name of another', () => {
    const { create } = setUp();
    const templates = create();
    templates.save({ name: 'Fix', text: 'Fix it' });
    templates.save({ name: 'Test', text: 'Test it' });
    templates.save({ name: 'Write', text: 'Write it' });
    templates.save({ name: 'Test', text: 'Fix it' }, 'FIX');
    assert.deepEqual(templates.all, [
      { name: 'Test', text: 'Fix it' },
      { name: 'Write', text: 'Write it' },
    ]);
  });

  it('never have a secret, also one that becomes known later', () => {
    const { store, known, create } = setUp();
    known.learn(['secret-of-today']);
    create().save({ name: 'Key', text: 'Use secret-of-today and secret-of-tomorrow' });
    create().save({ name: 'Key secret-of-today', text: '' });
    assert.doesNotMatch(JSON.stringify(store.value), /of-today/);
    known.learn(['secret-of-tomorrow']);
    assert.equal(create().named('Key')?.text, 'Use •••••••• and ••••••••');
  });

  it('are gone once deleted', () => {
    const { store, create } = setUp();
    create().save({ name: 'Fix', text: 'Fix it' });
    create().save({ name: 'Test', text: 'Test it' });
    create().delete('FIX');
    assert.deepEqual(create().all, [{ name: 'Test', text: 'Test it' }]);
    create().delete('Test');
    assert.deepEqual(create().all, []);
    assert.equal(store.value, undefined);
  });
});
