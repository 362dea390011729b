import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import type { ChangePlace } from '../../../src/features/targets/model/changePlace';
import type { ChangeSource, FileVersion } from '../../../src/features/sandboxChanges/model/changeSet';
import type { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { ShownChanges } from '../../../src/features/changes/model/shownChanges';

const place = (change: Partial<ChangePlace> = {}, version: Partial<FileVersion> = {}): ChangePlace => ({
  conversation: 'c',
  from: 'sandbox',
  root: '/shop',
  kind: 'modified',
  side: 'after',
  version: { oid: 'a1', mode: '100644', size: 1, ...version },
  ...change,
});

describe('a side of a changed file', () => {
  let made: string[];
  let fails: boolean;
  /** A source whose contents are its name; it must be listed first. */
  const source = (name: string, content: Uint8Array = Buffer.from(name)): ChangeSource => {
    let isListed = false;
    return {
      list: () => {
        isListed = true;
        return Promise.resolve({} as never);
      },
      content: () => (isListed || name === 'added' ? Promise.resolve(content) : assert.fail('not listed')),
    };
  };
  const make = (name: string) => {
    made.push(name);
    return fails ? Promise.reject(new Error('asleep')) : Promise.resolve(source(name));
  };
  const changes = {
    repository: (root: string) => make(`repository ${root}`),
    fromEvents: () => make('events'),
    ofStep: (step: string) => source(`step ${step}`),
  } as unknown as ConversationChanges;
  let shown: ShownChanges;
  let asked: (string | undefined)[];
  /** The services that are held, once for each holder. */
  let held: string[];
  const needs: ConstructorParameters<typeof ShownChanges>[0] = {
    model: (_id, service) => {
      asked.push(service);
      return { changes };
    },
    hold: (service) => {
      held.push(service);
      return {
        reached: Promise.resolve(),
        dispose: () => void held.splice(held.indexOf(service), 1),
      };
    },
  };
  const read = async (at: ChangePlace) => Buffer.from(await shown.read(at)).toString();
  beforeEach(() => {
    [made, fails] = [[], false];
    [asked, held] = [[], []];
    shown = new ShownChanges(needs);
  });

  it('comes from where its list came from, which is made once', async () => {
    assert.equal(await read(place()), 'repository /shop');
    assert.equal(await read(place({ side: 'before' })), 'repository /shop');
    assert.equal(await read(place({ from: 'events' })), 'events');
    assert.equal(await read(place({ from: { step: 'e1' } })), 'step e1');
    assert.deepEqual(made, ['repository /shop', 'events']);
  });

  it('comes from the list that is shown, the newest of the same repository', async () => {
    shown.add(place(), source('other'));
    shown.add(place(), source('added'));
    assert.equal(await read(place()), 'added');
    assert.deepEqual(made, []);
    assert.equal(await read(place({ root: '/other' })), 'repository /other');
  });

  it('is made again after it failed', async () => {
    fails = true;
    await assert.rejects(read(place()), /asleep/);
    fails = false;
    assert.equal(await read(place()), 'repository /shop');
  });

  it('is made again once its sandbox doesn’t answer: another server may run there now, with another key', async () => {
    const lost = { ...source('added'), content: () => Promise.reject(new ApiError('refused', 'POST', '/')) };
    shown.add(place(), lost);
    await assert.rejects(read(place()), ApiError);
    assert.equal(await read(place()), 'repository /shop');
    const changed = { ...source('added'), content: () => Promise.reject(new Refusal('Changed.')) };
    shown.add(place(), changed);
    for (let times = 0; times < 2; times += 1) await assert.rejects(read(place()), Refusal);
  });

  it('is made again when its list is older than 50 others', async () => {
    for (let number = 0; number < 50; number += 1) shown.add(place({ root: `/${number}` }), source('added'));
    assert.equal(await read(place({ root: '/0' })), 'added');
    shown.add(place({ root: '/0' }), source('added'));
    shown.add(place({ root: '/50' }), source('added'));
    assert.equal(await read(place({ root: '/0' })), 'added');
    assert.equal(await read(place({ root: '/2' })), 'added');
    assert.equal(await read(place({ root: '/1' })), 'repository /1');
  });

  it('is binary if git would say so', async () => {
    const withNul = (at: number) => source('added', Buffer.from('x'.repeat(9_000)).fill(0, at, at + 1));
    shown.add(place(), withNul(7_999));
    assert.equal(await read(place()), 'Binary file, 9000 bytes\nHash: a1\n');
    shown.add(place(), withNul(8_000));
    assert.equal((await read(place())).length, 9_000);
  });

  it('is a message where there is no text to show', async () => {
    const large = 20 * 1024 * 1024;
    const rows: [at: ChangePlace, words: RegExp][] = [
      [place({}, { mode: '160000', oid: 'abc', size: null }), /^Submodule at commit abc\n$/],
      [place({ kind: 'modeChanged' }, { mode: '100755' }), /^File mode 100755\n$/],
      [place({}, { oid: '', size: null }), /aren’t in the transcript/],
      [place({}, { oid: '', size: 5 }), /too large to show \(5 bytes\)/],
      [place({}, { size: large + 1 }), /too large to show \(20971521 bytes\)/],
    ];
    for (const [at, words] of rows) assert.match(await read(at), words);
    assert.deepEqual(made, []);
    assert.equal(await read(place({}, { size: large })), 'repository /shop');
    assert.equal(await read(place({}, { size: null })), 'repository /shop');
  });

  it('comes from its own service, which is held while its list is', async () => {
    const [one, two] = ['https://one.example', 'https://two.example'];
    await read(place({ service: one }));
    await read(place({ service: two }));
    assert.deepEqual([asked, held, made.length], [[one, two], [one, two], 2]);
    shown.add(place({ service: one }), source('added'));
    assert.deepEqual([await read(place({ service: one })), held], ['added', [two, one]]);
    assert.equal(await read(place({ service: two })), 'repository /shop');
    for (let number = 0; number < 50; number += 1) shown.add(place({ root: `/${number}` }), source('added'));
    assert.deepEqual(held, []);
  });

  it('waits until its service is reached, and lets go of one that isn’t', async () => {
    const service = 'https://one.example';
    let resolve: () => void = () => undefined;
    const reached = new Promise<void>((done) => (resolve = done));
    const hold = (name: string) => ({ ...needs.hold(name), reached });
    shown = new ShownChanges({ ...needs, hold, model: () => undefined });
    const reading = assert.rejects(read(place({ service })), /another service/);
    assert.deepEqual(held, [service]);
    resolve();
    await reading;
    assert.deepEqual(held, []);
  });

  it('lets go of every service at the end', async () => {
    await read(place({ service: 'https://one.example' }));
    shown.dispose();
    assert.deepEqual(held, []);
  });

  it('isn’t shown with another service', async () => {
    shown = new ShownChanges({ ...needs, model: () => undefined });
    await assert.rejects(read(place()), /another service/);
  });
});
