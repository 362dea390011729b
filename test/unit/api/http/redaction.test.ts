import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { concealing } from '../../../../src/api/http/errorBody';
import { logLine } from '../../../../src/editor/logLine';
import { describeError } from '../../../../src/editor/errorText';
import { failureOf, sessionKey, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';
import { everyCase } from '../../../support/everyCase';

/** A header’s name in every casing in use. */
const casings = (name: string) => [
  name,
  name.toLowerCase(),
  name.toUpperCase(),
  name.replace(/-/g, '_'),
  name.toLowerCase().replace(/(^|-)\w/g, (start) => start.toUpperCase()),
  Array.from(name, (letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
];

const echoes: [name: string, text: (secret: string) => string][] = [
  ...['X-Session-API-Key', 'Authorization', 'Cookie', 'Set-Cookie', 'X-Access-Token']
    .flatMap(casings)
    .flatMap((header): [string, (secret: string) => string][] => [
      [`${header}: `, (secret) => `bad header ${header}: ${secret}`],
      [`${header}=`, (secret) => `bad header ${header}=${secret} there`],
      [`"${header}":`, (secret) => `{"headers":{"${header}":"${secret}","Accept":"x"}}`],
      [`'${header}':`, (secret) => `{'${header}': '${secret}'}`],
    ]),
  ['Bearer', (secret) => `cannot use Authorization: Bearer ${secret}`],
  ['bearer alone', (secret) => `got bearer ${secret}`],
  ['the query of an address', (secret) => `GET https://a.example/x?tkn=${secret}&y=1 failed`],
  ['the fragment of an address', (secret) => `see https://a.example/#${secret}`],
  ['the password in an address', (secret) => `proxy http://ada:${secret}@a.example:80/ failed`],
  ['a websocket’s address', (secret) => `wss://a.example/?tkn=${secret}`],
  ['an MCP key', (secret) => `{"url":"https://a.example","api_key":"${secret}"}`],
  ['a password', (secret) => `password=${secret}`],
  ['a password with a quote in it', (secret) => String.raw`{"password":"a\"b ${secret}"}`],
  ['a password in a list', (secret) => `{"password":["${secret}"]}`],
  ['a second cookie', (secret) => `Cookie: theme=dark; sid=${secret}`],
  ['a digest', (secret) => `Authorization: Digest username="me", response="${secret}"`],
  ['a signature', (secret) => `Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=${secret}`],
  ['a provider’s words', (secret) => `Incorrect API key provided: ${secret}. See the docs.`],
  ['a token of a model', () => `got sk-${'canary0'.repeat(4)} from you`],
  ['a token of GitHub', () => `got ghp_${'canary0'.repeat(6)} from you`],
  ...[
    ...['X-Auth', 'passphrase', 'passwd', 'access_key', 'secret_access_key', 'private-key', 'session_key'],
    ...['signing key', 'jwt', 'DB_PASS', 'GITHUB_PAT', 'PGPASSWORD', 'SMTP_PWD'],
  ].map((name): [string, (secret: string) => string] => [name, (secret) => `bad ${name}: ${secret}`]),
];

describe('secrets repeated by the service', function () {
  const unknown = 'canary+unknown/0f3=';
  const conceal = concealing([]);
  it('are redacted after every header name, in addresses, and as members, even if unknown', () =>
    everyCase(
      echoes,
      ([name]) => name,
      ([, text]) => {
        const shown = conceal(text(unknown));
        assert.ok(!shown.includes('canary'), shown);
      },
    ));

  it('are redacted anywhere in the text if the request has them (300 cases)', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 4, maxLength: 60, unit: 'grapheme' })
          .filter((secret) => !'•••'.includes(secret)),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        (secret, before, after) => {
          // The surrounding text must not contain the secret by chance.
          fc.pre(!`${before}•••${after}`.includes(secret));
          for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
            const shown = concealing([secret])(before + form + after);
            assert.ok(!shown.includes(form) || `${before}•••${after}`.includes(form), shown);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are redacted in linear time', () => {
    for (const part of [
      'a',
      'a://',
      'x-',
      'token',
      'token=',
      'bearer ',
      'a:a@',
      '"',
      ' ',
      'a-',
      'https://a:',
      'cookie: a=b; ',
      'password="\\',
      'api key ',
      'sk-',
    ]) {
      conceal(part.repeat(64_000 / part.length));
    }
  });

  it('are redacted in every disguise', () => {
    const key = 'canary-Key+7b1e/x';
    const split = (by: string) => `${key.slice(0, 9)}${by}${key.slice(9)}`;
    const disguises: [name: string, text: string][] = [
      ['in upper case', key.toUpperCase()],
      ['in lower case', key.toLowerCase()],
      ['percent-encoded in lower case', encodeURIComponent(key).toLowerCase()],
      ...[
        ['a zero-width space', '\u200b'],
        ['a joiner', '\u200d'],
        ['a soft hyphen', '\u00ad'],
        ['a byte order mark', '\ufeff'],
        ['a variation selector', '\ufe0f'],
        ['a change of direction', '\u202e'],
        ['a color', '\u001b[31m'],
        ['a terminal link', '\u001b]8;;https://a.example\u0007'],
        ['a control character', '\u0000'],
        ['a backspace', '\b'],
        ['a line break', '\r\n  '],
      ].map(([name, by]): [string, string] => [`split by ${name}`, split(by!)]),
      ['at the end of 4,000 characters', `${'\u200b'.repeat(3_980)}${key}`],
      ['beyond 4,000 characters that don’t show', `${'\u200b'.repeat(8_000)}${key}`],
    ];
    return everyCase(
      disguises,
      ([name]) => name,
      ([, text]) => {
        const shown = concealing([key])(`before ${text} after`).replace(/[^a-z0-9]/gi, '');
        assert.doesNotMatch(shown, /canary|7b1e/i);
      },
    );
  });

  it('redacts a secret that the service repeats without its white space', () => {
    assert.equal(concealing(['my long secret'])('got mylongsecret'), 'got •••');
    assert.equal(concealing(['abcd'])('got a b c d'), 'got •••');
  });

  it('redacts a secret with half a character, which the service can only repeat as a replacement', () => {
    assert.equal(concealing(['half \ud83d here'])('got half \ufffd here'), 'got •••');
  });

  it('does not redact words that contain the few letters of a secret of white space', () => {
    assert.equal(concealing(['a \t b'])('a lab'), 'a lab');
  });

  it('leaves other text readable', () => {
    for (const text of [
      'Invalid token. Please make sure it is a valid github token.',
      'Settings not found',
      'Unauthorized',
      'The basic plan has no more sandboxes',
      'see https://a.example/docs/limits for more',
      'Missing field: title, tokens used: many',
      'The private key is missing. pwd: /w, tests pass: 5, signature: f(x)',
      'Use sk-... or hf_hub_download',
    ]) {
      assert.equal(conceal(text), text);
    }
  });
});

describe('errors', () => {
  afterEach(closeServers);

  it('contain no secret in any part of a validation error', async () => {
    const server = await serve((_request, response) =>
      json(
        response,
        {
          detail: [
            {
              loc: ['body', sessionKey, 0, 'canary-llm-key'],
              msg: `no ${sessionKey}`,
              type: `x.${sessionKey}`,
            },
          ],
        },
        422,
      ),
    );
    const error = await failureOf(
      testClient(server.origin).client.postSettings({ llm_api_key: 'canary-llm-key' }),
    );
    assert.doesNotMatch(JSON.stringify(error), /canary/);
    assert.deepEqual(error.issues?.[0]?.loc, ['body', '•••', 0, '•••']);
  });

  it('contain no secret in the target of a redirect', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(302, { Location: `https://${sessionKey}.evil.example/` }).end(),
    );
    const error = await failureOf(testClient(server.origin).client.getSettings());
    assert.equal(error.location, 'https://•••.evil.example');
  });

  it('contain no part of a secret split by the read limit', async () => {
    // Reading stops at 64 kB, after the first chunk.
    const first = `${'\u200b'.repeat(20_000)}${sessionKey.slice(0, 12)}`;
    const chunks = [first, `${sessionKey.slice(12)}${'x'.repeat(64 * 1024)}`];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const fetch = () => Promise.resolve(new Response(body, { status: 500 }));
    const error = await failureOf(
      testClient('https://service.example.com', { fetch }).client.pauseSandbox('a'),
    );
    assert.equal(error.status, 500);
    assert.doesNotMatch(error.serverText ?? '', /can/);
  });
});

describe('log lines', () => {
  afterEach(closeServers);

  it('contain no header, ID, query, body, or echoed secret', async () => {
    const server = await serve((request, response, number) =>
      json(
        response,
        {
          error: `no: ${JSON.stringify(request.headers)} ${request.url ?? ''} https://a.example/?k=canary-query ${number}`,
        },
        400,
        { 'X-Canary': 'canary-header', 'Set-Cookie': 'canary-cookie=1' },
      ),
    );
    const { client, events } = testClient(`${server.origin}/canary-prefix`, { sessionKey: 'canary key/+"7' });
    const token = { token: 'canary-git-token', user_id: null, host: 'canary-host' };
    const errors = [
      await failureOf(client.searchSandboxes({ pageId: 'canary-page' })),
      await failureOf(client.pauseSandbox('canary-id')),
      await failureOf(client.postSettings({ llm_api_key: 'canary-llm', git_user_name: 'canary-name' })),
      await failureOf(client.addGitProviders({ provider_tokens: { github: token } })),
    ];
    assert.equal(events.length, 4);
    const said = [
      ...events.map(logLine),
      ...errors.map((error) => JSON.stringify([describeError(error), error.stack])),
    ];
    for (const line of said) {
      // The service may repeat its own address, and so the requested path.
      const own = line.replaceAll('/canary-prefix', '').replaceAll('canary-id', '');
      assert.ok(!own.includes('canary'), own);
    }
  });

  it('are single lines of limited length', async () => {
    const hostile = `\u001b[31m\r\n2026-01-01 [info] forged\u202e${'x'.repeat(1_000_000)}`;
    const server = await serve((_request, response) => json(response, { error: hostile }, 400));
    const { client, events } = testClient(server.origin);
    await failureOf(client.getSettings());
    const line = logLine(events[0]!);
    assert.doesNotMatch(line, /[\u0000-\u001f\u202e\u001b]/);
    assert.ok(line.length < 400);
    assert.ok(!line.includes(sessionKey));
  });
});
