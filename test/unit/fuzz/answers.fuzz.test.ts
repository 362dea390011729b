import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { concealing, readErrorBody } from '../../../src/api/http/errorBody';
import { ApiError } from '../../../src/api/http/errors';
import { parseRetryAfter } from '../../../src/api/http/retry';
import { systemClock } from '../../../src/api/http/clock';
import { describeError } from '../../../src/editor/errorText';
import { detailsOf } from '../../../src/features/sandboxes/model/sandboxDetails';
import { rowsOf } from '../../support/builders/rows';
import { testClient } from '../api/support/client';
import { clientFor, endpoints } from '../faults/endpoints';
import { anyJson, fuzz, lengthOfNone, nearly } from './support';

const sandbox = {
  id: 'sb',
  status: 'RUNNING',
  sandbox_spec_id: 'spec',
  session_api_key: 'k',
  exposed_urls: [{ name: 'VSCODE', url: 'https://a.example/?tkn=x', port: 1 }],
  created_at: '2026-01-01T00:00:00Z',
};
const conversation = {
  id: 'c',
  title: 't',
  sandbox_id: 'sb',
  selected_repository: 'a/b',
  pr_number: [1],
  metrics: { cost: 1 },
  sub_conversation_ids: ['d'],
  execution_status: 'idle',
};
const valid: Record<string, unknown> = {
  settings: {
    language: 'en',
    max_iterations: 3,
    confirmation_mode: true,
    mcp_config: {
      sse_servers: ['https://a.example', { url: 'https://b.example', api_key: 'k' }],
      stdio_servers: [{ name: 'a', command: 'b', args: ['c'], env: { D: 'e' } }],
      shttp_servers: [{ url: 'https://c.example', timeout: 3 }],
    },
    llm_api_key_set: true,
    provider_tokens_set: { github: null, gitlab: 'h' },
    secrets_store: { provider_tokens: {} },
  },
  'start task': {
    items: [{ id: 'task', status: 'WORKING', detail: 'd', app_conversation_id: null, request: {} }],
  },
  models: ['a', 'b'],
  sandboxes: { items: [sandbox], next_page_id: 'x' },
  conversations: [conversation],
  specs: { items: [{ id: 's', command: ['a'], initial_env: { A: 'b' }, working_dir: '/w' }] },
  'start sandbox': sandbox,
  'create conversation': { id: 't', status: 'READY', app_conversation_id: 'c', sandbox_id: 'sb' },
};

const answering =
  (body: BodyInit, status = 200, headers: Record<string, string> = {}): typeof fetch =>
  () =>
    Promise.resolve(
      new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } }),
    );

/** A call must end with a value or a describable ApiError; anything else is a bug. */
async function endsWell(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.notEqual(describeError(error).message, '');
    return undefined;
  }
}

describe('fuzz: service responses', () => {
  for (const endpoint of endpoints) {
    const { name, call } = endpoint;
    const shape = valid[name] ?? valid['models'];
    fuzz(
      `${name}: any JSON, and what is nearly right`,
      fc.oneof(anyJson, nearly(shape)),
      async (json) => {
        const fetch = answering(JSON.stringify(json));
        await endsWell(call(clientFor(endpoint, 'http://127.0.0.1:9', { fetch }).client));
      },
      [{ items: [{ id: lengthOfNone }] }, [{ id: lengthOfNone }], { id: lengthOfNone }],
    );
  }

  fuzz(
    'endpoints handle any bytes, status, and content type',
    fc.record({
      bytes: fc.uint8Array({ maxLength: 200 }),
      status: fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
      type: fc.constantFrom(
        'application/json',
        'text/html',
        'text/plain',
        'application/problem+json',
        ';',
        '',
      ),
      retryAfter: fc.constantFrom('', '0', '-1', '1e9', 'NaN', 'soon', '61', new Date(0).toUTCString()),
      // All of them in each case would take minutes, and they read answers in the same way.
      some: fc.shuffledSubarray([...endpoints], { minLength: 10, maxLength: 10 }),
    }),
    async ({ bytes, status, type, retryAfter, some }) => {
      const fetch = answering(new Uint8Array(bytes), status, {
        'Content-Type': type,
        'Retry-After': retryAfter,
      });
      for (const endpoint of some)
        await endsWell(endpoint.call(clientFor(endpoint, 'http://127.0.0.1:9', { fetch }).client));
    },
  );

  fuzz(
    'the views show any list',
    fc.tuple(nearly(valid['sandboxes']), nearly(valid['conversations']), nearly(valid['specs'])),
    async ([sandboxes, conversations, specs]) => {
      const read = async <T>(
        json: unknown,
        list: (client: ReturnType<typeof testClient>['client']) => Promise<{ items: T[] }>,
      ) => {
        const { client } = testClient('http://127.0.0.1:9', { fetch: answering(JSON.stringify(json)) });
        return ((await endsWell(list(client))) as { items: T[] } | undefined)?.items ?? [];
      };
      const boxes = await read(sandboxes, (client) => client.searchSandboxes());
      const talks = await read(conversations, (client) => client.listConversations());
      rowsOf({
        sandboxes: boxes,
        conversations: talks,
        specs: await read(specs, (client) => client.searchSandboxSpecs()),
      });
      for (const box of boxes) {
        const harmless = { ...box, session_api_key: 'another' };
        assert.equal(detailsOf(box, talks, 0), detailsOf(harmless, talks, 0));
      }
    },
  );

  fuzz(
    'error messages are safe to show',
    fc.tuple(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        anyJson.map((json) => JSON.stringify(json)),
      ),
      fc.string(),
    ),
    ([text, secret]) => {
      const { serverText = '', issues = [] } = readErrorBody(text, false, concealing([secret]));
      for (const words of [serverText, ...issues.map(({ msg }) => msg)]) {
        assert.ok(Array.from(words).length <= 200);
        assert.doesNotMatch(words, /[\p{Cc}\p{Cs}]/u);
      }
    },
    [['proxy http://ada:canary/0f@a.example:80/', 'x'] as [string, string]],
  );

  fuzz(
    'a Retry-After is a delay of 0 ms or more, or is ignored',
    fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)),
    (header) => {
      const ms = parseRetryAfter(header, systemClock);
      assert.ok(ms === undefined || ms >= 0);
    },
  );
});
