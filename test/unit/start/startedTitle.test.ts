import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/service/client';
import { createClient } from '../../../src/api/service/client';
import { createLimiter } from '../../../src/api/http/limiter';
import { StartedTitles } from '../../../src/features/start/model/startedTitle';
import { makeConversation, startService, type ReferenceService } from '../../service/service';

const title = 'Mend the login test';

describe('chosen conversation title', () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService({ profile: 'observed' });
  });
  afterEach(() => service.close());

  const add = () => {
    const conversation = makeConversation();
    service.state.conversations.set(conversation.id, conversation);
    return conversation;
  };
  const renames = () => service.requests.filter(({ method }) => method === 'PATCH').length;
  const keep = (
    id: string,
    hasMessage: boolean,
    onWait: (count: number) => void = () => undefined,
    client?: ApiClient,
  ) => {
    let waits = 0;
    return new StartedTitles().keep({
      client:
        client ??
        createClient({ baseUrl: service.url, sessionKey: service.sessionKey, limiter: createLimiter() }),
      id,
      title,
      hasMessage,
      wait: () => {
        onWait(++waits);
        return Promise.resolve();
      },
    });
  };

  it('is set once, and known not to be taken, on a release that answers with another one', async () => {
    for (const other of ['Untitled', '', `${title}!`]) {
      let renamed = 0;
      const client = {
        renameConversation: () => Promise.resolve(((renamed += 1), other)),
        listConversations: () => assert.fail('no need to look again'),
      } as never;
      assert.equal(await keep('c', true, undefined, client), false);
      assert.equal(renamed, 1);
    }
    const silent = { renameConversation: () => Promise.resolve(undefined) } as never;
    assert.equal(await keep('c', false, undefined, silent), true);
  });

  it('is set once after a start without a message', async () => {
    const conversation = add();
    let looks = 0;
    await keep(conversation.id, false, () => (looks += 1));
    assert.equal(conversation.title, title);
    assert.deepEqual([looks, renames()], [0, 1]);
  });

  it('is set again if the service replaces it', async () => {
    const conversation = add();
    await keep(conversation.id, true, (count) => {
      if (count === 2) conversation.title = 'Fix Login';
    });
    assert.equal(conversation.title, title);
    assert.equal(renames(), 2);
  });

  it('is no longer checked after a while', async () => {
    let last = 0;
    await keep(add().id, true, (count) => (last = count));
    assert.equal(last, 10);
    assert.equal(renames(), 1);
  });

  it('isn’t set if the service can’t rename', async () => {
    const conversation = add();
    const own = conversation.title;
    service.fail({ method: 'PATCH', times: 'always', effect: { kind: 'answer', status: 405, body: {} } });
    await keep(conversation.id, true);
    assert.equal(conversation.title, own);
    assert.deepEqual(
      service.requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path),
      [`/api/conversations/${conversation.id}`, `/api/v1/app-conversations/${conversation.id}`],
    );
  });

  it('is set again if the conversation isn’t in the list', async () => {
    const conversation = add();
    const options = { baseUrl: service.url, sessionKey: service.sessionKey, limiter: createLimiter() };
    const listConversations = () => Promise.resolve({ items: [], nextPageId: null });
    await keep(conversation.id, true, undefined, { ...createClient(options), listConversations });
    assert.equal(renames(), 2);
  });

  const bare = '0123456789abcdef0123456789abcdef';
  const hyphens = '01234567-89ab-cdef-0123-456789abcdef';

  it('stays, however the list writes the conversation’s id', async () => {
    let renamed = 0;
    const client = {
      renameConversation: () => Promise.resolve(void (renamed += 1)),
      listConversations: () => Promise.resolve({ items: [{ id: hyphens, title }], nextPageId: null }),
    } as unknown as ApiClient;
    await keep(bare, true, undefined, client);
    assert.equal(renamed, 1);
  });

  it('is left alone once somebody gives the conversation another one', async () => {
    const titles = new StartedTitles();
    let renamed = 0;
    const client = {
      renameConversation: () => Promise.resolve(void (renamed += 1)),
      listConversations: () => assert.fail('nobody looks anymore'),
    } as never;
    const wait = (_ms: number, signal: AbortSignal) => {
      titles.leave(bare);
      signal.throwIfAborted();
      return Promise.resolve();
    };
    assert.equal(await titles.keep({ client, id: hyphens, title, hasMessage: true, wait }), true);
    assert.equal(renamed, 1);
  });
});
