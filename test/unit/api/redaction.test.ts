import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { concealing } from '../../../src/api/errorBody';
import { logLine } from '../../../src/platform/logLine';
import { describeError } from '../../../src/platform/errorText';
import { failureOf, sessionKey, testClient } from './support/client';
import { closeServers, json, serve } from './support/servers';

/** A header's name in every casing that people and proxies use. */
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
];

describe('what the service repeats', function () {
  this.timeout(5_000);
  const unknown = 'canary+unknown/0f3=';
  const conceal = concealing([]);
  for (const [name, text] of echoes) {
    it(`is blotted out after ${name}, though it was never known`, () => {
      const shown = conceal(text(unknown));
      assert.ok(!shown.includes('canary'), shown);
    });
  }

  it('is blotted out wherever it stands when the request carried it (300 cases)', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 4, maxLength: 60, unit: 'grapheme' })
          .filter((secret) => !'•••'.includes(secret)),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        (secret, before, after) => {
          // What surrounds it must not hold it by chance.
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

  it('is found without going over the text again and again', () => {
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
    ]) {
      conceal(part.repeat(64_000 / part.length));
    }
  });

  it('stays readable otherwise', () => {
    for (const text of [
      'Invalid token. Please make sure it is a valid github token.',
      'Settings not found',
      'Unauthorized',
      'The basic plan has no more sandboxes',
      'see https://a.example/docs/limits for more',
      'Missing field: title, tokens used: many',
    ]) {
      assert.equal(conceal(text), text);
    }
  });
});

describe('log lines', () => {
  afterEach(closeServers);

  it('hold no header, id, query, body or echoed secret, whatever the service says', async () => {
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
      // The service may say its own address, and so the path that was asked.
      const own = line.replaceAll('/canary-prefix', '').replaceAll('canary-id', '');
      assert.ok(!own.includes('canary'), own);
    }
  });

  it('are one line of bounded length each', async () => {
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
