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

  it('requires IDs on the specified list path, and returns null for missing conversations', async () => {
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

  it('derives the fields that depend on the sandbox', async () => {
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

  it('ignores case only for ASCII letters in a title, and treats % and _ like SQLite', async () => {
    add({ title: 'STRASSE', created_at: '2025-11-03T00:00:00Z' });
    add({ title: 'Ärger, 100 %', created_at: '2025-11-02T00:00:00Z' });
    assert.deepEqual(await titles('?title__contains=strasse'), ['STRASSE']);
    assert.deepEqual(await titles(`?title__contains=${encodeURIComponent('ärger')}`), []);
    assert.deepEqual(await titles(`?title__contains=${encodeURIComponent('Ärger')}`), ['Ärger, 100 %']);
    assert.deepEqual(await titles('?title__contains=S%25E'), ['STRASSE']);
    assert.deepEqual(await titles('?title__contains=str_sse'), ['STRASSE']);
    assert.equal((await running.caller.get(`${base}/count`)).json, 2);
    assert.equal((await running.caller.get(`${base}/count?title__contains=str`)).json, 1);
  });

  it('renames on the legacy path and resets the creation time', async () => {
    const { id } = add({ title: 'One', created_at: '2025-11-03T00:00:00Z' });
    const rename = (of: string, body: unknown) =>
      running.caller.send('PATCH', `/api/conversations/${of}`, JSON.stringify(body));
    const done = await rename(id, { title: ' Two ' });
    assert.deepEqual([done.status, done.json], [200, true]);
    const record = running.service.state.conversations.get(id);
    assert.equal(record?.title, 'Two');
    assert.ok(record.created_at > '2025-11-03');
    assert.deepEqual(at((await rename(id, {})).json, 'detail', 0, 'type'), 'missing');
    assert.deepEqual(at((await rename(id, { title: '' })).json, 'detail', 0, 'type'), 'string_too_short');
    const missing = await rename('none', { title: 'Two' });
    assert.equal(missing.status, 404);
    assert.equal(at(missing.json, 'message'), 'Conversation not found');
  });

  it('shows the public flag and all metrics of a conversation', async () => {
    running.service.patch({ sandboxes: [{ id: 'box' }] });
    await running.caller.post(base, { sandbox_id: 'box', public: 'yes' });
    await running.service.advance(1000);
    const made = at((await running.caller.get(`${base}/search`)).json, 'items', 0);
    assert.equal(at(made, 'public'), true);
    assert.deepEqual(at(made, 'metrics'), {
      model_name: 'default',
      accumulated_cost: 0,
      max_budget_per_task: null,
      accumulated_token_usage: {
        model: '',
        prompt_tokens: 0,
        completion_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        context_window: 0,
        per_turn_token: 0,
        response_id: '',
      },
    });
  });

  const task = async (id: unknown) =>
    at((await running.caller.get(`${base}/start-tasks?ids=${String(id)}`)).json, 0);

  /** Advances a start step by step; returns each task state and the conversations listed by then. */
  const follow = async (id: unknown) => {
    const seen: [status: unknown, sandbox: boolean, listed: number][] = [];
    for (let ms = 0; ms < 5000 && !['READY', 'ERROR'].includes(String(seen.at(-1)?.[0])); ms += 50) {
      await running.service.advance(50);
      const now = await task(id);
      const step: (typeof seen)[0] = [
        at(now, 'status'),
        at(now, 'sandbox_id') !== null,
        running.service.state.conversations.size,
      ];
      if (step.join() !== seen.at(-1)?.join()) seen.push(step);
    }
    return seen;
  };

  const request = {
    initial_message: {
      role: 'user',
      content: [{ type: 'text', text: 'fix the failing slug test please, now' }],
    },
    selected_repository: 'acme/shop',
    selected_branch: 'main',
    git_provider: 'github',
    llm_model: 'm',
    title: 'Greeting',
  };

  it('stays WORKING without a sandbox, and lists the conversation before READY', async () => {
    const begun = await running.caller.post(base, request);
    assert.deepEqual(await follow(at(begun.json, 'id')), [
      ['WORKING', false, 0],
      ['WAITING_FOR_SANDBOX', true, 0],
      ['PREPARING_REPOSITORY', true, 0],
      ['RUNNING_SETUP_SCRIPT', true, 0],
      ['SETTING_UP_GIT_HOOKS', true, 0],
      ['SETTING_UP_SKILLS', true, 0],
      ['STARTING_CONVERSATION', true, 0],
      ['STARTING_CONVERSATION', true, 1],
      ['READY', true, 1],
    ]);
  });

  it('returns the request with added fields, and times without a zone when read again', async () => {
    const begun = await running.caller.post(base, request);
    assert.deepEqual(pick(begun.json, 'status', 'app_conversation_id', 'sandbox_id', 'request'), {
      status: 'WORKING',
      app_conversation_id: null,
      sandbox_id: null,
      request: {
        sandbox_id: null,
        conversation_id: null,
        initial_message: {
          role: 'user',
          content: [
            {
              cache_prompt: false,
              type: 'text',
              text: 'fix the failing slug test please, now',
              enable_truncation: true,
            },
          ],
          run: false,
        },
        system_message_suffix: null,
        processors: null,
        llm_model: 'm',
        selected_repository: 'acme/shop',
        selected_branch: 'main',
        git_provider: 'github',
        title: 'Greeting',
        trigger: null,
        pr_number: [],
        parent_conversation_id: null,
        agent_type: 'default',
        public: null,
      },
    });
    const created = String(at(begun.json, 'created_at'));
    assert.match(created, /Z$/);
    const again = await task(at(begun.json, 'id'));
    assert.equal(at(again, 'created_at'), created.slice(0, -1));
    assert.match(String(at(again, 'updated_at')), /\d$/);
  });

  it('ignores the requested title and generates another title later', async () => {
    running.service.behaviour.delays.title = 10_000;
    const begun = await running.caller.post(base, request);
    await follow(at(begun.json, 'id'));
    const title = () => [...running.service.state.conversations.values()][0]?.title;
    assert.match(title() ?? '', /^Conversation [0-9a-f]{5}$/);
    await running.service.advance(10_000);
    assert.equal(title(), 'Fix The Failing Slug Test Please');
  });

  it('keeps the other requested values', async () => {
    const begun = await running.caller.post(base, request);
    await follow(at(begun.json, 'id'));
    const ready = await task(at(begun.json, 'id'));
    const id = String(at(ready, 'app_conversation_id'));
    const made = at((await running.caller.get(`${base}?ids=${id}`)).json, 0);
    assert.deepEqual(
      pick(made, 'sandbox_id', 'sandbox_status', 'execution_status', 'selected_branch', 'llm_model'),
      {
        sandbox_id: at(ready, 'sandbox_id'),
        sandbox_status: 'RUNNING',
        execution_status: 'running',
        selected_branch: 'main',
        llm_model: 'm',
      },
    );
  });

  const failures: [what: string, request: Record<string, string>, detail: string][] = [
    [
      'a repository that cannot be cloned',
      { selected_repository: 'owner/broken' },
      'Could not clone repository owner/broken: not found or no access',
    ],
    ['a paused sandbox', { sandbox_id: 'paused' }, '500: Sandbox not startable: paused'],
    ['a sandbox in error', { sandbox_id: 'failed' }, '500: Sandbox status: SandboxStatus.ERROR'],
    ['an unknown sandbox', { sandbox_id: 'none' }, '500: Sandbox not found: none'],
  ];
  for (const [what, request, detail] of failures) {
    it(`ends in ERROR with a detail for ${what}`, async () => {
      running.service.patch({
        sandboxes: [
          { id: 'paused', status: 'PAUSED' },
          { id: 'failed', status: 'ERROR' },
        ],
      });
      const begun = await running.caller.post(base, request);
      assert.equal(begun.status, 200);
      await running.service.advance(5000);
      const ended = await task(at(begun.json, 'id'));
      assert.deepEqual(pick(ended, 'status', 'detail'), { status: 'ERROR', detail });
      assert.equal(running.service.state.conversations.size, 0);
    });
  }

  it('resumes a paused sandbox even though the start fails', async () => {
    running.service.patch({ sandboxes: [{ id: 'paused', status: 'PAUSED' }] });
    await running.caller.post(base, { sandbox_id: 'paused' });
    await running.service.advance(5000);
    assert.equal(running.service.state.sandboxes.get('paused')?.status, 'RUNNING');
  });

  it('ends in ERROR when its new sandbox fails to start', async () => {
    running.service.behaviour.startsFail = true;
    const begun = await running.caller.post(base, {});
    await running.service.advance(5000);
    assert.deepEqual(pick(await task(at(begun.json, 'id')), 'status', 'detail', 'sandbox_id'), {
      status: 'ERROR',
      detail: '500: Agent Server Failed to start properly',
      sandbox_id: null,
    });
  });

  it('gives up after two minutes if a sandbox never runs', async () => {
    running.service.patch({ sandboxes: [{ id: 'slow', status: 'STARTING' }] });
    const begun = await running.caller.post(base, { sandbox_id: 'slow' });
    await running.service.advance(119_000);
    assert.equal(at(await task(at(begun.json, 'id')), 'status'), 'WAITING_FOR_SANDBOX');
    await running.service.advance(2_000);
    assert.equal(at(await task(at(begun.json, 'id')), 'detail'), '500: Sandbox failed to start: slow');
  });

  it('names a container sandbox immediately and waits through its ERROR state', async () => {
    Object.assign(running.service.behaviour, { sandboxKind: 'container', errorUntilHealthy: true });
    const begun = await running.caller.post(base, {});
    const seen = await follow(at(begun.json, 'id'));
    assert.deepEqual(seen.slice(0, 2), [
      ['WORKING', false, 0],
      ['WAITING_FOR_SANDBOX', true, 0],
    ]);
    assert.equal(seen.at(-1)?.[0], 'READY');
  });

  it('lists and counts start tasks, newest first', async () => {
    const first = at((await running.caller.post(base, {})).json, 'id');
    await running.service.advance(10);
    const second = at((await running.caller.post(base, {})).json, 'id');
    await running.service.advance(5000);
    const search = async (query = '') => {
      const page = (await running.caller.get(`${base}/start-tasks/search${query}`)).json;
      return listAt(page, 'items').map((item) => at(item, 'id'));
    };
    assert.deepEqual(await search(), [second, first]);
    assert.deepEqual(await search('?limit=1&page_id=1'), [first]);
    const conversation = String(at(await task(first), 'app_conversation_id'));
    assert.deepEqual(await search(`?conversation_id__eq=${conversation}`), [first]);
    assert.equal((await running.caller.get(`${base}/start-tasks/count`)).json, 2);
    assert.equal((await running.caller.get(`${base}/start-tasks/search?limit=101`)).status, 500);
    const refused = await running.caller.get(`${base}/start-tasks/search?conversation_id__eq=x&sort_order=y`);
    assert.deepEqual(
      listAt(refused.json, 'detail').map((issue) => at(issue, 'type')),
      ['uuid_parsing', 'enum'],
    );
  });

  it('streams the task at each step of a start', async () => {
    running.service.patch({ sandboxes: [{ id: 'box' }] });
    const arrived = running.service.waitForRequest(() => true, { phase: 'arrived' });
    const answer = running.caller.post(`${base}/stream-start`, { sandbox_id: 'box' });
    await arrived;
    await running.service.advance(1000);
    const statuses = listAt((await answer).json).map((step) => at(step, 'status'));
    assert.deepEqual([statuses[0], statuses.at(-1), statuses.length], ['WORKING', 'READY', 8]);
  });

  it('refuses a malformed request', async () => {
    const message = (content: unknown) => ({ initial_message: { role: 'user', content } });
    const part = ['initial_message', 'content', 0];
    const requests: [request: Record<string, unknown>, locs: unknown[]][] = [
      [{ title: 3, sandbox_id: 4 }, [['sandbox_id'], ['title']]],
      [{ git_provider: 'svn', trigger: 'x' }, [['git_provider'], ['trigger']]],
      [{ initial_message: 'Hello' }, [['initial_message']]],
      [message('Hello'), [['initial_message', 'content']]],
      [{ initial_message: { role: 'robot', content: [] } }, [['initial_message', 'role']]],
      [
        message([{ type: 'video', text: 'x' }]),
        [
          [...part, 'TextContent', 'type'],
          [...part, 'ImageContent', 'type'],
          [...part, 'ImageContent', 'image_urls'],
        ],
      ],
      [
        message(['x']),
        [
          [...part, 'TextContent'],
          [...part, 'ImageContent'],
        ],
      ],
    ];
    for (const [body, locs] of requests) {
      const refused = await running.caller.post(base, body);
      assert.equal(refused.status, 422);
      assert.deepEqual(
        listAt(refused.json, 'detail').map((issue) => listAt(issue, 'loc').slice(1)),
        locs,
      );
    }
    assert.equal(running.service.state.startTasks.size, 0);
  });
});
