import assert from 'node:assert/strict';
import { makeConversation, makeSandbox } from '../../service/service';
import { at, listAt, pick, useService } from './support';

const base = '/api/v1/app-conversations';

describe('reference service, observed: conversations', () => {
  const running = useService({
    profile: 'observed',
    clock: 'manual',
    delays: { sandboxStart: 1000, taskStep: 100 },
  });

  const add = (fields: Parameters<typeof makeConversation>[0]) => {
    const conversation = makeConversation(fields);
    running.service.state.conversations.set(conversation.id, conversation);
    return conversation;
  };
  const titles = async (query: string) => {
    const answer = await running.caller.get(`${base}/search${query}`);
    assert.equal(answer.status, 200, answer.text);
    return listAt(answer.json, 'items').map((item) => at(item, 'title'));
  };

  it('demands ids on the path that the specification lists by, and answers null for what is missing', async () => {
    const refused = await running.caller.get(base);
    assert.equal(refused.status, 422);
    assert.deepEqual(at(refused.json, 'detail', 0, 'loc'), ['query', 'ids']);
    const { id } = add({ title: 'One' });
    const found = await running.caller.get(`${base}?ids=${'0'.repeat(32)}&ids=${id}`);
    assert.equal(at(found.json, 0), null);
    assert.equal(at(found.json, 1, 'title'), 'One');
    assert.deepEqual(at((await running.caller.get(`${base}?ids=x`)).json, 'detail', 0, 'loc'), [
      'query',
      'ids',
      0,
    ]);
  });

  it('lists newest first and filters', async () => {
    const parent = add({
      title: 'Alpha',
      created_at: '2025-11-01T00:00:00Z',
      updated_at: '2025-11-09T00:00:00Z',
    });
    add({ title: 'Beta', created_at: '2025-11-03T00:00:00Z' });
    add({ title: 'Alphabet', created_at: '2025-11-02T00:00:00Z' });
    add({ title: 'Sub', created_at: '2025-11-04T00:00:00Z', parent_conversation_id: parent.id });
    add({ title: null, created_at: '2025-10-01T00:00:00Z' });
    assert.deepEqual(await titles(''), ['Beta', 'Alphabet', 'Alpha', null]);
    assert.deepEqual(await titles('?include_sub_conversations=true&limit=1'), ['Sub']);
    assert.deepEqual(await titles('?title__contains=alpha'), ['Alphabet', 'Alpha']);
    assert.deepEqual(await titles('?created_at__gte=2025-11-02T00:00:00Z'), ['Beta', 'Alphabet']);
    assert.deepEqual(await titles('?created_at__lt=2025-11-02T00:00:00%2B00:00'), ['Alpha', null]);
    assert.deepEqual(await titles('?updated_at__gte=2025-11-09'), ['Alpha']);
    assert.deepEqual(await titles('?updated_at__lt=2025-11-02T00:00:00Z'), [null]);
    assert.deepEqual(await titles('?limit=1&page_id=1'), ['Alphabet']);
    for (const query of [
      'created_at__gte=yesterday',
      'updated_at__lt=2025-11-02T00:00:00+00:00',
      'include_sub_conversations=maybe',
    ])
      assert.equal((await running.caller.get(`${base}/search?${query}`)).status, 422, query);
  });

  it('works out what depends on the sandbox', async () => {
    const sandbox = makeSandbox({ id: 'box', status: 'RUNNING' });
    running.service.state.sandboxes.set('box', sandbox);
    const { id } = add({ sandbox_id: 'box', execution_status: 'waiting_for_confirmation' });
    const shown = async () =>
      pick(
        at((await running.caller.get(`${base}?ids=${id}`)).json, 0),
        'sandbox_status',
        'execution_status',
        'conversation_url',
        'session_api_key',
      );
    assert.deepEqual(await shown(), {
      sandbox_status: 'RUNNING',
      execution_status: 'waiting_for_confirmation',
      conversation_url: `${sandbox.exposed_urls[0]?.url}/api/conversations/${id}`,
      session_api_key: sandbox.session_api_key,
    });
    const hidden = { execution_status: null, conversation_url: null, session_api_key: null };
    sandbox.status = 'PAUSED';
    assert.deepEqual(await shown(), { sandbox_status: 'PAUSED', ...hidden });
    running.service.state.sandboxes.clear();
    assert.deepEqual(await shown(), { sandbox_status: 'MISSING', ...hidden });
  });

  const task = async (id: unknown) =>
    at((await running.caller.get(`${base}/start-tasks?ids=${String(id)}`)).json, 0);

  it('answers a start task that goes through every step to a conversation', async () => {
    const request = {
      initial_message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      selected_repository: 'acme/shop',
      selected_branch: 'main',
      git_provider: 'github',
      llm_model: 'm',
      title: 'Greeting',
    };
    const begun = await running.caller.post(base, request);
    assert.deepEqual(pick(begun.json, 'status', 'app_conversation_id', 'sandbox_id', 'request'), {
      status: 'WORKING',
      app_conversation_id: null,
      sandbox_id: null,
      request,
    });
    const seen: unknown[] = ['WORKING'];
    for (let ms = 0; ms < 3000 && seen.at(-1) !== 'READY'; ms += 50) {
      await running.service.advance(50);
      const now = at(await task(at(begun.json, 'id')), 'status');
      if (now !== seen.at(-1)) seen.push(now);
    }
    assert.deepEqual(seen, [
      'WORKING',
      'WAITING_FOR_SANDBOX',
      'PREPARING_REPOSITORY',
      'RUNNING_SETUP_SCRIPT',
      'SETTING_UP_GIT_HOOKS',
      'STARTING_CONVERSATION',
      'READY',
    ]);
    const ready = await task(at(begun.json, 'id'));
    const made = at(
      (await running.caller.get(`${base}?ids=${String(at(ready, 'app_conversation_id'))}`)).json,
      0,
    );
    assert.deepEqual(
      pick(made, 'title', 'sandbox_id', 'sandbox_status', 'execution_status', 'selected_branch'),
      {
        title: 'Greeting',
        sandbox_id: at(ready, 'sandbox_id'),
        sandbox_status: 'RUNNING',
        execution_status: 'running',
        selected_branch: 'main',
      },
    );
  });

  const failures: [what: string, request: Record<string, string>, detail: RegExp][] = [
    ['a repository that cannot be cloned', { selected_repository: 'owner/broken' }, /owner\/broken/],
    ['a paused sandbox', { sandbox_id: 'paused' }, /not running: paused/],
    ['an unknown sandbox', { sandbox_id: 'none' }, /not found: none/],
  ];
  for (const [what, request, detail] of failures) {
    it(`ends in ERROR with a detail for ${what}`, async () => {
      running.service.patch({ sandboxes: [{ id: 'paused', status: 'PAUSED' }] });
      const begun = await running.caller.post(base, request);
      assert.equal(begun.status, 200);
      await running.service.advance(5000);
      const ended = await task(at(begun.json, 'id'));
      assert.equal(at(ended, 'status'), 'ERROR');
      assert.match(String(at(ended, 'detail')), detail);
      assert.equal(running.service.state.conversations.size, 0);
    });
  }

  it('ends in ERROR when the sandbox it waits for is paused', async () => {
    const begun = await running.caller.post(base, {});
    await running.service.advance(200);
    for (const sandbox of running.service.state.sandboxes.values()) sandbox.status = 'PAUSED';
    await running.service.advance(300);
    assert.equal(at(await task(at(begun.json, 'id')), 'status'), 'ERROR');
  });

  it('waits through ERROR where sandboxes show it until healthy', async () => {
    running.service.behaviour.errorUntilHealthy = true;
    const begun = await running.caller.post(base, {});
    await running.service.advance(5000);
    assert.equal(at(await task(at(begun.json, 'id')), 'status'), 'READY');
  });

  it('refuses a malformed request', async () => {
    const requests: [request: Record<string, unknown>, field: string][] = [
      [{ title: 3 }, 'title'],
      [{ git_provider: 'svn' }, 'git_provider'],
      [{ initial_message: 'Hello' }, 'initial_message'],
      [{ initial_message: { role: 'user', content: 'Hello' } }, 'initial_message'],
      [{ initial_message: { role: 'robot', content: [] } }, 'initial_message'],
    ];
    for (const [request, field] of requests) {
      const refused = await running.caller.post(base, request);
      assert.equal(refused.status, 422, field);
      assert.equal(at(refused.json, 'detail', 0, 'loc', 1), field);
    }
    assert.equal(running.service.state.startTasks.size, 0);
  });
});
