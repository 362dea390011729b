import assert from 'node:assert/strict';
import { agreedQuotes, type ContextSource } from '../../../src/features/context/model/context';

describe('files and texts that go along with a message', () => {
  /** Sources by their names; what is undefined can’t be read. */
  async function attach(
    texts: Record<string, string | undefined>,
    { free = [], agrees = () => true }: { free?: string[]; agrees?: (message: string) => boolean } = {},
  ) {
    const asked: [message: string, names: string[]][] = [];
    const read: string[] = [];
    const sources = Object.entries(texts).map(([name, text]): ContextSource => ({
      ...{ name, paths: [name], isInside: false },
      read: () => {
        read.push(name);
        return Promise.resolve(text === undefined ? undefined : { quote: { label: name, text }, text });
      },
    }));
    const { quotes, unreadable } = await agreedQuotes([...sources, undefined], {
      title: 'Fix it',
      confirm: (message, detail, action) => {
        assert.equal(action, 'Attach');
        asked.push([message, detail.split('\n\n')[0]?.split('\n') ?? []]);
        return Promise.resolve(agrees(message));
      },
      isFree: ({ name }) => free.includes(name),
    });
    return { asked, read, labels: quotes.map(({ label }) => label), unreadable };
  }
  const outside = 'Attach files from outside the workspace to “Fix it”?';
  const secret = 'Attach files that may contain secrets to “Fix it”?';

  it('are asked about before they’re read, each by its name, unless they’re free', async () => {
    const texts = { 'a.ts': 'a', '/etc/b\u202e': 'b', '/etc/c': 'c' };
    const agreed = await attach(texts, { free: ['a.ts'] });
    assert.deepEqual(agreed.asked, [[outside, ['/etc/b', '/etc/c']]]);
    assert.deepEqual(agreed.labels, Object.keys(texts));
    const refused = await attach(texts, { free: ['a.ts'], agrees: () => false });
    assert.deepEqual([refused.read, refused.labels], [['a.ts'], ['a.ts']]);
    assert.deepEqual((await attach(texts, { free: Object.keys(texts) })).asked, []);
  });

  it('are asked about if they may contain secrets, once they were read', async () => {
    const texts = { '.env': 'A=1', 'a.ts': 'a' };
    const free = Object.keys(texts);
    const agreed = await attach(texts, { free });
    assert.deepEqual([agreed.asked, agreed.labels], [[[secret, ['.env']]], free]);
    const refused = await attach(texts, { free, agrees: () => false });
    assert.deepEqual(refused.labels, ['a.ts']);
  });

  it('are counted if they can’t be read, or aren’t there anymore', async () => {
    const { labels, unreadable } = await attach({ 'a.ts': 'a', gone: undefined }, { free: ['a.ts', 'gone'] });
    assert.deepEqual([labels, unreadable], [['a.ts'], 2]);
    const refused = await attach({ gone: undefined }, { agrees: () => false });
    assert.deepEqual(refused.unreadable, 1, 'what wasn’t agreed to isn’t missing');
  });
});
