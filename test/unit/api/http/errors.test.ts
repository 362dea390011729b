import assert from 'node:assert/strict';
import { concealing, readErrorBody } from '../../../../src/api/http/errorBody';
import {
  ApiError,
  type ErrorFacts,
  type ErrorReason,
  hasOtherSecretKey,
  isDownBehindCanvas,
  isQuota,
  isSettingsNotFound,
  isUnanswered,
  refusesSandboxKey,
} from '../../../../src/api/http/errors';
import { failureOf, sessionKey, testClient } from '../support/client';
import { closeServers, serve } from '../support/servers';
import { everyCase } from '../../../support/everyCase';

const statuses: [status: number, reason: ErrorReason][] = [
  [400, 'invalid'],
  [401, 'unauthorized'],
  [402, 'unexpectedStatus'],
  [403, 'forbidden'],
  [404, 'notFound'],
  [405, 'methodNotAllowed'],
  [408, 'timeout'],
  [409, 'conflict'],
  [410, 'unexpectedStatus'],
  [413, 'payloadTooLarge'],
  [418, 'unexpectedStatus'],
  [499, 'unexpectedStatus'],
  [422, 'invalid'],
  [429, 'rateLimited'],
  [500, 'serverError'],
  [501, 'serverError'],
  [502, 'serverError'],
  [503, 'serverError'],
  [504, 'serverError'],
];

const issue = {
  loc: ['body', 'mcp_config', 'sse_servers', 0, 'url'],
  msg: 'Not an address',
  type: 'value_error',
};

/** Error bodies and the service’s message in each. */
const bodies: [name: string, contentType: string, body: string, words: string | undefined][] = [
  [
    'detail list',
    'application/json',
    JSON.stringify({ detail: [{ ...issue, input: 'echo' }] }),
    'Not an address',
  ],
  ['detail text', 'application/json', '{"detail":"Not Found"}', 'Not Found'],
  ['error', 'application/json', '{"error":"Invalid token."}', 'Invalid token.'],
  ['message', 'application/json', '{"message":"It broke"}', 'It broke'],
  ['bare string', 'application/json', '"Sandbox gone"', 'Sandbox gone'],
  ['plain text', 'text/plain; charset=utf-8', 'Internal Server Error', 'Internal Server Error'],
  ['JSON of no known shape', 'application/json', '{"code":7}', '{"code":7}'],
  ['an empty detail list', 'application/json', '{"detail":[]}', '{"detail":[]}'],
  ['cut JSON', 'application/json', '{"error":"Inv', '{"error":"Inv'],
  ['deep JSON', 'application/json', '['.repeat(100_000), `${'['.repeat(199)}…`],
  ['a web page', 'text/html', '<h1>502 Bad Gateway</h1>', undefined],
  ['nothing', 'text/plain', '', undefined],
];

describe('error responses', () => {
  afterEach(closeServers);

  for (const [name, contentType, body, words] of bodies) {
    it(`report the reason for every status, with ${name}`, () =>
      everyCase(
        statuses,
        ([status]) => String(status),
        async ([status, reason]) => {
          const server = await serve((_request, response) =>
            response.writeHead(status, { 'Content-Type': contentType }).end(body),
          );
          const { client } = testClient(server.origin);
          const reading = await failureOf(client.getSettings());
          const { method, route } = reading;
          assert.deepEqual([method, route], ['GET', '/api/settings']);
          const changing = await failureOf(client.postSettings({}));
          for (const error of [reading, changing]) {
            // Services refuse in JSON: a page is of somebody in between.
            const isBetween = name === 'a web page' && (status === 401 || status === 403);
            const told = isBetween ? 'notService' : reason;
            assert.deepEqual([error.reason, error.status, error.serverText], [told, status, words]);
            assert.deepEqual(error.issues, name === 'detail list' ? [issue] : undefined);
          }
          assert.equal(reading.outcomeUnknown, false);
          assert.equal(changing.outcomeUnknown, status === 408 || status === 499 || status >= 500);
        },
      ));
  }

  it('uses the status when the body is cut off', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(422, { 'Content-Type': 'application/json', 'Content-Length': '500' });
      response.write('{"detail":', () => response.destroy());
    });
    const error = await failureOf(testClient(server.origin).client.getSettings());
    assert.deepEqual([error.reason, error.serverText], ['invalid', undefined]);
  });

  it('keeps the usable parts of a validation error', async () => {
    const detail = [issue, 7, { loc: 'body', msg: 'x' }, { loc: [], msg: 'y' }];
    const server = await serve((_request, response) =>
      response.writeHead(422, { 'Content-Type': 'application/json' }).end(JSON.stringify({ detail })),
    );
    const error = await failureOf(testClient(server.origin).client.postSettings({}));
    assert.deepEqual(error.issues, [issue, { loc: [], msg: 'y', type: '' }]);
    assert.equal(error.serverText, 'Not an address; y');
  });

  it('sanitizes the message and redacts the secrets of the request', async () => {
    const secrets = {
      llm_api_key: 'canary-llm-1',
      search_api_key: 'canary-search-1',
      sandbox_api_key: 'canary-sandbox-1',
    };
    const mcp = {
      sse_servers: [{ url: 'https://a.example.com', api_key: 'canary-sse-1' }],
      stdio_servers: [{ name: 'n', command: 'c', args: [], env: { TOKEN: 'canary-env-1' } }],
      shttp_servers: [{ url: 'https://b.example.com', api_key: 'canary-shttp-1' }],
    };
    let shape: (text: string) => unknown = (text) => text;
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const canaries = `${JSON.stringify(request.headers)} ${body}`.match(/canary-[a-z0-9-]+/g) ?? [];
        const text = `\u001b[31mEcho\u001b[0m\u0000 \u202e${canaries.join(' ')}`;
        response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(shape(text)));
      });
    });
    const { client } = testClient(server.origin);
    for (const each of [
      (text: string) => text,
      (text: string) => ({ error: text }),
      (text: string) => ({ detail: [{ loc: [], msg: text, type: '' }] }),
    ]) {
      shape = each;
      for (const call of [
        client.postSettings({ ...secrets, mcp_config: mcp }),
        client.addGitProviders({ provider_tokens: { github: { token: 'canary-git-1' } }, mcp_config: mcp }),
      ]) {
        const error = await failureOf(call);
        assert.match(error.serverText!, /^Echo ••• •••/);
        const all = JSON.stringify([error, error.message, error.stack, error.issues]);
        assert.ok(!all.includes('canary'), all);
      }
    }
    assert.ok(sessionKey.includes('canary'));
  });

  it('redacts a secret that starts like another, but no ordinary words', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('bad key abcd-efgh, not abcd'),
    );
    const secrets = { llm_api_key: 'abcd', search_api_key: 'abcd-efgh', sandbox_api_key: 'key' };
    const error = await failureOf(testClient(server.origin).client.postSettings(secrets));
    assert.equal(error.serverText, 'bad key •••, not •••');
  });
});

describe('the text of a failed check', () => {
  const read = (detail: string) => readErrorBody(JSON.stringify({ detail }), false, (text) => text);
  const tooShort = 'String should have at least 1 character';
  const quote = "[type=string_too_short, input_value='canary', input_type=str]";

  for (const head of ['1 validation error for Settings', '12 validation errors for Settings']) {
    it(`is read as place and message after “${head}”`, () => {
      assert.deepEqual(read(`${head}\nagent.llm.model\n  ${tooShort} ${quote}\nother\n  Wrong`), {
        issues: [{ loc: ['body', 'agent', 'llm', 'model'], msg: tooShort, type: '' }],
        serverText: `agent.llm.model: ${tooShort}`,
      });
    });
  }

  for (const text of [
    `See: 1 validation error for Settings\nmodel\n  ${tooShort}`,
    `validation error for Settings\nmodel\n  ${tooShort}`,
    `1 validation error for Settings\n\n  ${tooShort}`,
    '1 validation error for Settings',
  ]) {
    it(`stays a text when it has another form, as in ${JSON.stringify(text)}`, () => {
      const { issues, serverText } = read(text);
      assert.equal(issues, undefined);
      assert.equal(serverText, text.replace(/\s+/g, ' '));
    });
  }

  it('blots out secrets in its place and message', () => {
    const conceal = (text: string) => text.replaceAll('canary', '•••');
    const text = JSON.stringify('1 validation error for Settings\nenv.canary\n  Not canary');
    assert.deepEqual(readErrorBody(text, false, conceal), {
      issues: [{ loc: ['body', 'env', '•••'], msg: 'Not •••', type: '' }],
      serverText: 'env.•••: Not •••',
    });
  });
});

describe('an error’s body', () => {
  for (const body of ['null', '7', 'true']) {
    it(`is shown as it is when it is ${body}`, () => {
      assert.deepEqual(
        readErrorBody(body, false, (text) => text),
        { serverText: body },
      );
    });
  }

  it('say what an agent server didn’t expect, which its detail doesn’t', () => {
    const read = (exception: unknown) =>
      readErrorBody(
        JSON.stringify({ detail: 'Internal Server Error', exception, error_id: 'f' }),
        false,
        concealing([]),
      ).serverText;
    assert.equal(read("Git failed: invalid reference: 'x'"), "Git failed: invalid reference: 'x'");
    assert.equal(read("1 error [type=x, input_value={'api_key': 'canary'}]"), '1 error');
    assert.doesNotMatch(read('GET https://ada:canary@h.example/x?k=canary failed') ?? '', /canary/);
    for (const none of ['', ' ', null, 7, undefined]) assert.equal(read(none), 'Internal Server Error');
  });

  it('has a sentence rather than a code, and the number of a limit, also below `detail`', () => {
    const read = (body: unknown) => readErrorBody(JSON.stringify(body), false, (text) => text);
    const limit = {
      error: 'CONCURRENCY_LIMIT_REACHED',
      message: 'At most 3 run at once',
      limit: 3,
      current: 3,
    };
    const numbers = { errorCode: 'CONCURRENCY_LIMIT_REACHED', limit: 3, current: 3 };
    const expected = { serverText: 'At most 3 run at once', ...numbers };
    assert.deepEqual(read(limit), expected);
    assert.deepEqual(read({ detail: limit }), expected);
    assert.deepEqual(read({ error: 'LIMIT_REACHED' }), {
      serverText: 'LIMIT_REACHED',
      errorCode: 'LIMIT_REACHED',
    });
    for (const odd of [-1, 0.5, 1e9, '3', null, [3]])
      assert.deepEqual(read({ message: 'Full', limit: odd }), { serverText: 'Full' });
  });
});

describe('isSettingsNotFound', () => {
  const notFound = (serverText?: string) =>
    new ApiError('notFound', 'GET', '/api/settings', { status: 404, serverText });
  it('distinguishes a user who has never saved from a missing path', () => {
    assert.equal(isSettingsNotFound(notFound('Settings not found')), true);
    assert.equal(isSettingsNotFound(notFound('Not Found')), false);
    assert.equal(isSettingsNotFound(notFound()), false);
    assert.equal(isSettingsNotFound(new Error('Settings not found')), false);
  });
});

describe('what an error is about by the server’s words', () => {
  const other = [undefined, '', 'Something else'];

  it('is a quota only on a 429, by its code or its text', () => {
    const quota = (facts: ErrorFacts, reason: ErrorReason = 'rateLimited') =>
      isQuota(new ApiError(reason, 'POST', '/api/v1/sandboxes', facts));
    for (const errorCode of ['DAILY_LIMIT', 'quota.exceeded'])
      assert.deepEqual([quota({ errorCode }), quota({ errorCode }, 'forbidden')], [true, false], errorCode);
    for (const serverText of ['Your daily limit is reached', 'Quota exceeded'])
      assert.deepEqual(
        [quota({ serverText }), quota({ serverText }, 'forbidden')],
        [true, false],
        serverText,
      );
    for (const text of other) assert.equal(quota({ errorCode: text, serverText: text }), false);
    assert.equal(quota({ serverText: 'Limit of dailyreport reached' }), false, 'only whole words');
  });

  it('is a server that’s down behind Agent Canvas only on a 502 in its words', () => {
    const isDown = (serverText?: string, status = 502) =>
      isDownBehindCanvas(new ApiError('serverError', 'GET', '/api/settings', { status, serverText }));
    const words = 'Bad Gateway: connect ECONNREFUSED 127.0.0.1:18000';
    assert.deepEqual([isDown(words), isDown(words, 503), isDown(`Error: ${words}`)], [true, false, false]);
    for (const text of [...other, 'Bad Gateway']) assert.equal(isDown(text), false, text);
  });

  it('is another secret key only on a 409 in the agent server’s words', () => {
    const isOther = (serverText?: string, status = 409) =>
      hasOtherSecretKey(new ApiError('conflict', 'PATCH', '/api/settings', { status, serverText }));
    const words = 'Settings file is corrupted or encrypted with a different key: Invalid token';
    assert.deepEqual([isOther(words), isOther(words, 500)], [true, false]);
    for (const text of other) assert.equal(isOther(text), false, text);
  });
});

describe('a server that doesn’t answer', () => {
  it('is one that no answer came from, and not one that refuses', () => {
    const answers = (reason: ErrorReason) => !isUnanswered(new ApiError(reason, 'GET', '/api/settings'));
    for (const reason of [
      ...(['dns', 'refused', 'reset', 'tls', 'proxy', 'connectTimeout', 'timeout', 'unreachable'] as const),
      ...(['canceled', 'keyRevoked'] as const),
    ])
      assert.equal(answers(reason), false, reason);
    for (const reason of ['unauthorized', 'serverError', 'truncated', 'notService'] as const)
      assert.equal(answers(reason), true, reason);
    assert.equal(isUnanswered(new Error('refused')), false);
  });
});

describe('a refused key', () => {
  it('is the sandbox’s only where a sandbox refused it', () => {
    const refusedAt = (route: string, reason: 'unauthorized' | 'notFound' = 'unauthorized') =>
      refusesSandboxKey(new ApiError(reason, 'GET', route));
    assert.equal(refusedAt('/api/conversations/{id}'), true);
    assert.equal(refusedAt('/api/v1/app-conversations'), false);
    assert.equal(refusedAt('/api/conversations/{id}', 'notFound'), false);
    assert.equal(refusesSandboxKey(new Error('unauthorized')), false);
  });
});
