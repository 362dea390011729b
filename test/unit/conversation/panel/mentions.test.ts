import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { offeredSkills } from '../../../../src/features/conversation/panel/mentions';
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

describe('what a page offers after a / at the beginning', () => {
  const skills = [
    { text: '/review', detail: 'Review a change' },
    { text: '/release-notes', detail: '' },
    { text: 'deploy', detail: 'Triggered by a word' },
  ];
  const labels = (test: Harness) => test.take('skills').map(({ items }) => items.map(({ label }) => label));

  it('is the skills of that name, read once for each /', async () => {
    const test = await new Harness().open();
    let asked = 0;
    test.skills = () => Promise.resolve(((asked += 1), skills));
    for (const query of ['', 'RE', 're', 'rel', 'dep', 'none'])
      await test.send({ type: 'findSkills', query });
    assert.deepEqual(labels(test), [
      ['/review', '/release-notes', 'deploy'],
      ['/review', '/release-notes'],
      ['/review', '/release-notes'],
      ['/release-notes'],
      ['deploy'],
      [],
    ]);
    assert.equal(asked, 1);
    await test.send({ type: 'findSkills', query: '' });
    assert.equal(asked, 2);
  });

  it('is nothing while they can’t be read, and is tried again', async () => {
    const test = await new Harness().open();
    test.skills = () => Promise.reject(new Error('down'));
    await test.send({ type: 'findSkills', query: '' });
    test.skills = () => Promise.resolve(skills);
    await test.send({ type: 'findSkills', query: '' });
    assert.deepEqual(labels(test), [[], ['/review', '/release-notes', 'deploy']]);
  });
});

describe('the skills of a server', () => {
  it('are what triggers each of them, and none of a service, which isn’t asked', async () => {
    const asked: (string | undefined)[] = [];
    const agents = {
      listSkills: (folder: string | undefined) => {
        asked.push(folder);
        const skill = (name: string, ...triggers: string[]) => ({ name, content: '', triggers });
        return Promise.resolve([
          skill('release-notes'),
          skill('code-review', 'review please', '/codereview'),
          skill('github', 'github', 'git'),
          skill('ssh', 'remote machine'),
        ]);
      },
    } as unknown as AgentServerCalls;
    const own = { agents };
    const texts = (await offeredSkills(own, '/shop')).map(({ text }) => text);
    assert.deepEqual(texts, ['/release-notes', '/codereview', '/github', 'remote machine']);
    await offeredSkills(own, '');
    assert.deepEqual(await offeredSkills({ agents: undefined }, '/shop'), []);
    assert.deepEqual([await offeredSkills(undefined, '/shop'), asked], [[], ['/shop', undefined]]);
  });
});
