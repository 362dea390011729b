import assert from 'node:assert/strict';
import { isAcceptable, parseConversationUrl } from '../../../../src/api/agent/address';

describe('address of an agent server', () => {
  it('splits into base address and conversation', () => {
    assert.deepEqual(parseConversationUrl('https://box.example.com/run/7/api/conversations/ab-cd'), {
      baseUrl: 'https://box.example.com/run/7',
      origin: 'https://box.example.com',
      id: 'ab-cd',
    });
  });

  it('is refused if it’s ambiguous or leads elsewhere', () => {
    for (const url of [
      '',
      'http://localhost:1/',
      'file:///api/conversations/a',
      'javascript:1//api/conversations/a',
      'http://user:pass@host/api/conversations/a',
      'http://host\\@evil/api/conversations/a',
      'http://host/api/conversations/..',
      'http://host/api/conversations/a%2fb',
      'http://host/api/conversations/a?x=1',
      'http://ho\tst/api/conversations/a',
      'x\nhttp://host/api/conversations/a',
    ])
      assert.equal(parseConversationUrl(url), undefined, url);
  });

  it('is accepted with https, or on this computer or the service’s own host', () => {
    const service = 'https://team.example.com:8443';
    for (const target of [
      'https://anything.example.net',
      'http://localhost:4000',
      'http://127.0.0.1:4000',
      'http://[::1]:4000',
      'http://team.example.com:9000',
    ])
      assert.equal(isAcceptable(target, service), true, target);
    for (const target of [
      'http://box.example.com',
      'http://team.example.com.evil.net',
      'http://10.0.0.1',
      'http://localhost.evil.net',
      'ftp://localhost',
    ])
      assert.equal(isAcceptable(target, service), false, target);
  });
});
