import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import {
  checkConnection,
  isAccepted,
  type ConnectionCheck,
} from '../../../../src/api/service/connectionCheck';
import { testClient } from '../support/client';
import { closeServers, deadOrigin, json, serve } from '../support/servers';

type Answer = (response: ServerResponse) => void;
const answer =
  (status: number, body: unknown): Answer =>
  (response) =>
    json(response, body, status);
const page: Answer = (response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>App');

/** Responses of `/api/settings` and `/api/v1/settings`, the result, and the number of requests it takes. */
const cases: [
  name: string,
  settings: Answer,
  newer: Answer,
  kind: ConnectionCheck['kind'],
  requests: number,
][] = [
  ['settings', answer(200, { llm_api_key_set: false }), page, 'ok', 1],
  ['nothing saved', answer(404, { error: 'Settings not found' }), page, 'neverSaved', 1],
  ['401', answer(401, { detail: 'Unauthorized' }), page, 'refused', 1],
  ['403', answer(403, {}), page, 'refused', 1],
  ['moved settings', answer(404, { detail: 'Not Found' }), answer(200, { agent_settings: {} }), 'ok', 2],
  ['moved settings, another way to log in', answer(404, {}), answer(401, {}), 'refused', 2],
  ['moved settings, nothing saved', page, answer(404, { error: 'Settings not found' }), 'neverSaved', 2],
  ['moved settings, method refused', answer(405, {}), answer(403, {}), 'refused', 2],
  ['a web page everywhere', page, page, 'failed', 2],
  ['nothing there', answer(404, {}), answer(404, {}), 'failed', 2],
  ['another service', answer(200, { hello: 'world' }), page, 'failed', 2],
  ['a fault', answer(501, {}), page, 'failed', 1],
];

describe('connection check', () => {
  afterEach(closeServers);

  for (const [name, settings, newer, kind, requests] of cases) {
    it(`reports ${kind} for ${name}`, async () => {
      const server = await serve((request, response) => {
        (request.url === '/api/settings' ? settings : newer)(response);
      });
      const check = await checkConnection(testClient(server.origin).client);
      assert.equal(check.kind, kind);
      assert.equal(isAccepted(check), kind === 'ok' || kind === 'neverSaved');
      assert.equal(server.requests.length, requests);
      if (check.kind === 'failed') assert.equal(check.error.route, '/api/settings');
    });
  }

  it('reports why nothing responds', async () => {
    const check = await checkConnection(testClient(await deadOrigin()).client);
    assert.ok(check.kind === 'failed' && check.error.reason === 'refused');
  });

  it('can be canceled', async () => {
    const check = await checkConnection(testClient('http://127.0.0.1:9').client, AbortSignal.abort());
    assert.ok(check.kind === 'failed' && check.error.reason === 'canceled');
  });
});
