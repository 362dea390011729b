import assert from 'node:assert/strict';
import type { ErrorReason } from '../../../src/api/http/errors';
import { logLine } from '../../../src/editor/logLine';
import { failureOf, sessionKey, testClient } from '../api/support/client';
import { clientFor, endpoints } from './endpoints';
import { holds } from './rows';
import { checkWords, usedService } from './support';

const statuses: Record<number, ErrorReason> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  409: 'conflict',
  413: 'payloadTooLarge',
  422: 'invalid',
  429: 'rateLimited',
  500: 'serverError',
  502: 'serverError',
  503: 'serverError',
  504: 'serverError',
};

/** Each error body shape of the service, with words that have to be readable in the log. */
const shapes: [
  name: string,
  answer: { body?: unknown; text?: string; contentType?: string },
  words: string,
][] = [
  ['validation error', { body: { detail: [{ loc: ['body', 0], msg: 'words', type: 't' }] } }, 'words'],
  ['detail', { body: { detail: 'words' } }, 'words'],
  ['error', { body: { error: 'words' } }, 'words'],
  ['message', { body: { message: 'words' } }, 'words'],
  ['bare string', { body: 'words' }, 'words'],
  ['plain text', { text: 'words', contentType: 'text/plain' }, 'words'],
  ['web page', { text: '<p>hidden</p>', contentType: 'text/html' }, ''],
  ['echo of the key', { body: { error: `words ${sessionKey}` } }, 'words'],
  ['nothing', { text: '' }, ''],
];

/** Where the other generation has what is missing or only tried. */
const ofOther = new Set(['/api/v1/settings', '/api/v1/app-conversations/{id}']);

export function describeStatuses(): void {
  describe('statuses', () => {
    const used = usedService();
    for (const [code, reason] of Object.entries(statuses)) {
      const status = Number(code);
      holds(
        'statuses',
        `${code} is ${reason}, with ${shapes.length} bodies at ${endpoints.length} endpoints`,
        async () => {
          for (const [shape, answer, words] of shapes) {
            for (const endpoint of endpoints) {
              const { name, method, path, call } = endpoint;
              used.service.fail({
                method,
                path,
                times: 'always',
                effect: { kind: 'answer', status, ...answer },
              });
              const { client, events } = clientFor(endpoint, used.service.url);
              const error = await failureOf(call(client));
              used.service.clearFailures();
              const what = `${name}, ${shape}`;
              // Services refuse in JSON: a page is of somebody in between.
              const isBetween = shape === 'web page' && (status === 401 || status === 403);
              assert.deepEqual(
                [error.reason, error.status],
                [isBetween ? 'notService' : reason, status],
                what,
              );
              const lines = events.filter(({ route }) => !ofOther.has(route)).map(logLine);
              checkWords(error, lines);
              assert.ok(
                lines.every((line) => line.includes(words) && !line.includes('hidden')),
                what,
              );
            }
          }
          return shapes.length * endpoints.length;
        },
      );
    }
    holds('statuses', 'none of them makes the client forget its key', async () => {
      await testClient(used.service.url).client.getSettings();
      assert.deepEqual(used.service.violations, []);
    });
  });
}
