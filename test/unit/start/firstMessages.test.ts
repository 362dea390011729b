import assert from 'node:assert/strict';
import {
  FirstMessages,
  mostFirstMessages,
  mostFirstText,
} from '../../../src/features/start/model/firstMessages';
import { KnownSecrets } from '../../../src/features/transcript/model/knownSecrets';

function setUp(stored?: unknown) {
  const store = { value: stored };
  const known = new KnownSecrets();
  let now = 0;
  const create = () =>
    new FirstMessages(
      {
        read: () => store.value,
        write: (value) => (store.value = value && (JSON.parse(JSON.stringify(value)) as unknown)),
      },
      known.mask,
      () => (now += 1),
    );
  return { store, known, create };
}

const textsOf = ({ all }: FirstMessages) => all.map(({ text }) => text);

describe('the messages that conversations were started with', () => {
  it('survive a reload, newest first', () => {
    const { create } = setUp();
    create().keep('Fix it', 'acme/shop');
    create().keep('Test it', '');
    assert.deepEqual(create().all, [
      { text: 'Test it', repository: '', sentAt: 2 },
      { text: 'Fix it', repository: 'acme/shop', sentAt: 1 },
    ]);
  });

  it('are kept once for each repository, whatever the case of its name', () => {
    const { create } = setUp();
    const messages = create();
    for (const repository of ['acme/shop', 'acme/other', 'Acme/Shop']) messages.keep('Fix it', repository);
    assert.deepEqual(
      messages.all.map(({ repository, sentAt }) => [repository, sentAt]),
      [
        ['Acme/Shop', 3],
        ['acme/other', 2],
      ],
    );
  });

  it('aren’t kept when they’re blank', () => {
    const { create } = setUp();
    create().keep(' \n', 'acme/shop');
    assert.deepEqual(create().all, []);
  });

  it('make room for newer ones, by number and by length', () => {
    const { create } = setUp();
    const messages = create();
    for (let i = 0; i <= mostFirstMessages; i += 1) messages.keep(`Message ${i}`, '');
    assert.equal(messages.all.length, mostFirstMessages);
    assert.equal(messages.all.at(-1)?.text, 'Message 1');
    messages.keep('x'.repeat(mostFirstText - 20), '');
    assert.deepEqual(textsOf(messages).slice(1), [`Message ${mostFirstMessages}`]);
  });

  it('stay when one is too long to be kept', () => {
    const { create } = setUp();
    const messages = create();
    messages.keep('Fix it', '');
    messages.keep('x'.repeat(mostFirstText + 1), '');
    assert.deepEqual(textsOf(messages), ['Fix it']);
  });

  it('never have a secret, also one that becomes known later', () => {
    const { store, known, create } = setUp();
    known.learn(['secret-of-today']);
    create().keep('Use secret-of-today and secret-of-tomorrow', '');
    assert.doesNotMatch(JSON.stringify(store.value), /of-today/);
    known.learn(['secret-of-tomorrow']);
    assert.deepEqual(textsOf(create()), ['Use •••••••• and ••••••••']);
    create().keep('Other', '');
    assert.doesNotMatch(JSON.stringify(store.value), /secret/);
  });

  it('can be deleted one by one', () => {
    const { store, create } = setUp();
    const messages = create();
    for (const repository of ['acme/shop', 'acme/other']) messages.keep('Fix it', repository);
    messages.delete(messages.all.slice(0, 1));
    assert.deepEqual(
      messages.all.map(({ repository }) => repository),
      ['acme/shop'],
    );
    messages.delete(messages.all);
    assert.equal(store.value, undefined);
  });

  it('leave what a later version stored', () => {
    const { store, create } = setUp([{ text: { parts: [] } }, 7]);
    create().keep('Fix it', '');
    assert.deepEqual(store.value, [{ text: 'Fix it', repository: '', sentAt: 1 }, { text: { parts: [] } }]);
  });
});
