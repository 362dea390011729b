import assert from 'node:assert/strict';
import { bareId, fileSegment, isFilePath, pathSegment } from '../../../../src/api/http/ids';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const refused: [name: string, id: string][] = [
  ['empty', ''],
  ['a dot', '.'],
  ['two dots', '..'],
  ['encoded dots', '%2e%2e'],
  ['slash', 'a/b'],
  ['backslash', 'a\\b'],
  ['question mark', 'a?b'],
  ['hash', 'a#b'],
  ['NUL', 'a\0b'],
  ['line feed', 'a\nb'],
  ['DEL', 'a\x7fb'],
  ['C1 control', 'a\x85b'],
  ['lone surrogate', 'a\ud800b'],
  ['513 characters', 'a'.repeat(513)],
  ['10 kB', 'a'.repeat(10_240)],
];

describe('IDs in paths', () => {
  afterEach(closeServers);

  for (const [name, id] of refused) {
    it(`refuses ${name} before sending a request`, async () => {
      const server = await serve((_request, response) => json(response, {}));
      const { client, events } = testClient(server.origin);
      for (const call of [client.pauseSandbox(id), client.resumeSandbox(id), client.getStartTask(id)]) {
        const error = await failureOf(call);
        assert.equal(error.reason, 'badId');
        assert.equal(error.outcomeUnknown, false);
      }
      assert.throws(() => client.conversationPageUrl(id), { reason: 'badId' });
      assert.deepEqual([server.requests.length, events.length], [0, 0]);
    });
  }

  it('accepts ordinary IDs and encodes them', () => {
    assert.equal(pathSegment('oh-agent-server-7Qm2xVbT'), 'oh-agent-server-7Qm2xVbT');
    assert.equal(pathSegment('a b:c@ü…'), 'a%20b%3Ac%40%C3%BC%E2%80%A6');
    assert.equal(pathSegment('...'), '...');
    assert.equal(pathSegment('a'.repeat(512)), 'a'.repeat(512));
  });

  it('puts the ID into the route, whatever characters it contains', async () => {
    const server = await serve((_request, response) => json(response, { success: true }));
    const { client } = testClient(`${server.origin}/prefix/`);
    await client.pauseSandbox('$& {id} é');
    assert.equal(server.requests[0]?.url, '/prefix/api/v1/sandboxes/%24%26%20%7Bid%7D%20%C3%A9/pause');
    assert.equal(client.conversationPageUrl('c 1'), `${server.origin}/prefix/conversations/c%201`);
  });
});

describe('paths of files', () => {
  const usable = ['/', '/a', '/a b/../ü', `/${'a'.repeat(4_095)}`, '/line\nfeed'];
  const unusable = ['', 'a', 'a/', './a', `/${'a'.repeat(4_096)}`, '/nul\0', '/lone\ud800'];

  for (const path of usable) {
    it(`become one segment that decodes to the same, as ${JSON.stringify(path.slice(0, 20))}`, () => {
      assert.equal(isFilePath(path), true);
      const segment = fileSegment(path) ?? '';
      assert.equal(decodeURIComponent(segment), path);
      assert.ok(!segment.includes('/'));
    });
  }

  for (const path of unusable) {
    it(`don’t become a segment when they can’t be one, as ${JSON.stringify(path.slice(0, 20))}`, () => {
      assert.equal(isFilePath(path), false);
      assert.equal(fileSegment(path), undefined);
    });
  }
});

describe('IDs to compare by', () => {
  it('are the same with and without hyphens, in upper and lower case', () => {
    const bare = '0b8e6f3ac1d24e5f8a7b9c0d1e2f3a4b';
    for (const id of ['0b8e6f3a-c1d2-4e5f-8a7b-9c0d1e2f3a4b', '0B8E6F3AC1D24E5F8A7B9C0D1E2F3A4B', bare]) {
      assert.equal(bareId(id), bare);
    }
  });

  it('stay apart if they aren’t UUIDs', () => {
    const ids = ['c-11', 'c1-1', 'c11', 'C11', '1-1', '11', '-', '', '0b8e6f3a-c1d24e5f-8a7b-9c0d1e2f3a4b'];
    const bare = '0b8e6f3ac1d24e5f8a7b9c0d1e2f3a4b';
    assert.equal(new Set([...ids, bare, `${bare}0`, `-${bare}`].map(bareId)).size, ids.length + 3);
  });
});
