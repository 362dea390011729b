import assert from 'node:assert/strict';
import fc from 'fast-check';
import { conversationLink, parseConversationLink } from '../../../src/shared/conversationLink';

const id = '0123456789abcdef0123456789abcdef';
const service = 'https://agents.example.com';

describe('link to a conversation', () => {
  it('names a service and an ID, in any order', () => {
    for (const query of [
      `connection=${service}&id=${id}`,
      `id=${id}&connection=${encodeURIComponent(`${service}/`)}`,
    ])
      assert.deepEqual(parseConversationLink(query), {
        ok: true,
        baseUrl: service,
        origin: service,
        id,
      });
  });

  it('may have 2,048 characters, and an ID of 100', () => {
    const link = (length: number, name = id) => {
      const query = `id=${name}&connection=${service}/`;
      return parseConversationLink(query + 'a'.repeat(length - query.length));
    };
    assert.deepEqual([link(2_048).ok, link(2_049).ok], [true, false]);
    assert.deepEqual([link(500, 'a'.repeat(100)).ok, link(500, 'a'.repeat(101)).ok], [true, false]);
  });

  it('leads where it was made', () => {
    const path = fc.stringMatching(/^(?:\/[\w~-]{1,8}){0,3}$/);
    fc.assert(
      fc.property(path, fc.uuid(), (prefix, uuid) => {
        const [place, query = ''] = conversationLink(service + prefix, uuid).split('?');
        assert.equal(place, 'conversation');
        const link = parseConversationLink(query);
        assert.deepEqual(link, { ok: true, baseUrl: service + prefix, origin: service, id: uuid });
      }),
    );
  });

  for (const [what, query] of [
    ['nothing', ''],
    ['no ID', `connection=${service}`],
    ['an empty ID', `connection=${service}&id=`],
    ['no connection', `id=${id}`],
    ['a session key', `connection=${service}&id=${id}&key=k`],
    ['two IDs', `connection=${service}&id=${id}&id=${id}`],
    ['an ID that climbs', `connection=${service}&id=..`],
    ['an encoded slash in the ID', `connection=${service}&id=a%2Fb`],
    ['an ID of 200 characters', `connection=${service}&id=${'a'.repeat(200)}`],
    ['a user name', `connection=https://user@a.example&id=${id}`],
    ['a query in the address', `connection=https://a.example%3Fkey%3Dk&id=${id}`],
    ['another scheme', `connection=file:///etc/passwd&id=${id}`],
    ['a command', `connection=command:quit&id=${id}`],
    ['a backslash', `connection=https://a.example%5C@b.example&id=${id}`],
    ['reversed text', `connection=https://a.example/%E2%80%AEmoc&id=${id}`],
    ['a space in the ID', `connection=${service}&id=a b`],
    ['an address of 10 kB', `connection=${service}/${'a'.repeat(10_000)}&id=${id}`],
  ] as const) {
    it(`is refused with ${what}`, () => {
      const link = parseConversationLink(query);
      assert.ok(!link.ok && link.reason.length > 0, JSON.stringify(link));
    });
  }
});
