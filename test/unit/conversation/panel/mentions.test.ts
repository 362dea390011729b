import assert from 'node:assert/strict';
import { Harness } from './support';

describe('what a page offers after a #', () => {
  let test: Harness;
  beforeEach(async () => {
    test = await new Harness().open();
    test.find = (query) => Promise.resolve([test.item(`file:///${query}.ts`)]);
  });
  const labels = () => test.take('context').map(({ items }) => items.map(({ label }) => label));

  it('is files first, then symbols too', async () => {
    test.findSymbols = () => Promise.resolve([test.item('file:///Cart.ts')]);
    await test.send({ type: 'findContext', query: 'cart' });
    assert.deepEqual(labels(), [['cart.ts'], ['cart.ts', 'Cart.ts']]);
  });

  it('is left out once the user has typed on', async () => {
    let answer: (() => void) | undefined;
    const { find } = test;
    test.find = async (query) => {
      if (query === 'c') await new Promise<void>((resolve) => (answer = resolve));
      return find(query);
    };
    const late = test.send({ type: 'findContext', query: 'c' });
    await test.send({ type: 'findContext', query: 'ca' });
    answer?.();
    await late;
    assert.deepEqual(labels(), [['ca.ts'], ['ca.ts']]);
  });

  it('is attached when it’s taken, and nothing else is', async () => {
    await test.send({ type: 'findContext', query: 'cart' });
    const [offer] = test.take('context').flatMap(({ items }) => items);
    assert.ok(offer);
    await test.send({ type: 'mention', id: 'file:///etc/passwd' });
    assert.deepEqual(test.stored.attachments, []);
    await test.send({ type: 'mention', id: offer.id });
    assert.deepEqual(
      test.stored.attachments.map(({ label }) => label),
      ['file:///cart.ts'],
    );
  });

  it('is asked about if it’s outside the workspace', async () => {
    test.agrees = false;
    test.files.locateFile = (uri) => Promise.resolve({ uri, name: uri, paths: [uri], isInside: false });
    await test.send({ type: 'findContext', query: 'cart' });
    const [offer] = test.take('context').flatMap(({ items }) => items);
    await test.send({ type: 'mention', id: offer?.id ?? '' });
    assert.match(test.done.join(), /Attach files from outside the workspace/);
    assert.deepEqual(test.stored.attachments, []);
  });
});
