import assert from 'node:assert/strict';
import { Deliveries, type Delivery } from '../../../src/features/changes/model/deliveries';

describe('changes on their way', () => {
  let stored: unknown;
  const deliveries = () =>
    new Deliveries({ read: () => stored, write: (value) => (stored = structuredClone(value)) });
  const delivery = (values: Partial<Delivery>): Delivery => ({
    id: 'one',
    service: 'https://one.example',
    repository: 'acme/shop',
    base: 'a'.repeat(40),
    branch: null,
    tree: 'b'.repeat(40),
    root: 'file:///shop',
    paths: ['a.txt'],
    startId: 'start',
    isAccepted: false,
    conversationId: null,
    label: 'Finish',
    message: 'Finish it.',
    ...values,
  });
  beforeEach(() => (stored = undefined));

  it('survive the window, newest first, separately for each service', () => {
    deliveries().keep(delivery({ id: 'one' }));
    deliveries().keep(delivery({ id: 'other', service: 'https://two.example' }));
    deliveries().keep(delivery({ id: 'two', startId: 'second' }));
    deliveries().keep(delivery({ id: 'one', conversationId: 'c-1' }));
    assert.deepEqual(
      deliveries()
        .of('https://one.example')
        .map(({ id, conversationId }) => [id, conversationId]),
      [
        ['one', 'c-1'],
        ['two', null],
      ],
    );
    deliveries().remove('one');
    assert.deepEqual(
      deliveries()
        .of('https://one.example')
        .map(({ id }) => id),
      ['two'],
    );
  });

  it('are found by their start, with what was selected', () => {
    deliveries().keep(delivery({ id: 'one', startId: 'first', paths: ['b.txt'] }));
    deliveries().keep(delivery({ id: 'two', startId: 'second' }));
    assert.deepEqual(deliveries().ofStart('first')?.paths, ['b.txt']);
    assert.equal(deliveries().ofStart('third'), undefined);
  });

  it('aren’t offered while somebody works on them, however that ends', async () => {
    const open = deliveries();
    open.keep(delivery({ id: 'one' }));
    const offered = () => open.of('https://one.example').length;
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('boom'))]) {
      const work = open.during('one', async () => {
        assert.equal(offered(), 0);
        await end();
      });
      assert.equal(offered(), 0);
      await work.catch(() => undefined);
      assert.equal(offered(), 1);
    }
  });

  it('are kept until a later window takes them up', async () => {
    deliveries().keep(delivery({ id: 'one' }));
    deliveries().keep(delivery({ id: 'two' }));
    deliveries().keep(delivery({ id: 'other', service: 'https://two.example' }));
    const next = deliveries();
    next.keep(delivery({ id: 'new' }));
    const left = () => next.left('https://one.example').map(({ id }) => id);
    assert.deepEqual(left(), ['two', 'one']);
    next.takeUp('two');
    assert.deepEqual(left(), ['one']);
    await next.during('one', () => Promise.reject(new Error('boom'))).catch(() => undefined);
    assert.deepEqual(left(), []);
    assert.equal(next.of('https://one.example').length, 3);
  });

  it('know their conversation once it has started, unless they have ended', () => {
    deliveries().keep(delivery({ id: 'one' }));
    deliveries().started('one', 'c-1');
    deliveries().started('gone', 'c-2');
    assert.deepEqual(
      deliveries()
        .of('https://one.example')
        .map(({ id, conversationId }) => [id, conversationId]),
      [['one', 'c-1']],
    );
  });

  it('know whether the service has taken their start; those of earlier versions count as taken', () => {
    deliveries().keep(delivery({ id: 'one' }));
    const isAccepted = () => deliveries().ofStart('start')?.isAccepted;
    assert.equal(isAccepted(), false);
    deliveries().accepted('one');
    assert.equal(isAccepted(), true);
    const { isAccepted: _unknown, ...earlier } = delivery({ id: 'one' });
    stored = [earlier];
    assert.equal(isAccepted(), true);
  });

  it('are read even if another one can’t be', () => {
    deliveries().keep(delivery({ id: 'one' }));
    stored = [{ id: 'broken' }, ...(stored as Delivery[]), null];
    assert.deepEqual(
      deliveries()
        .of('https://one.example')
        .map(({ id }) => id),
      ['one'],
    );
  });

  it('are none if the store has something else', () => {
    for (const other of [null, 'x', [{ id: 'one' }]]) {
      stored = other;
      assert.deepEqual(deliveries().of('https://one.example'), []);
    }
  });
});
