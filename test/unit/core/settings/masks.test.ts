import assert from 'node:assert/strict';
import { SettingsDocument } from '../../../../src/features/settings/model/document';
import { hidesSomething } from '../../../../src/core/settings/masks';
import type { Json } from '../../../../src/shared/json';
import { fakeService, type FakeService } from '../../settings/fakeService';
import { keyMayGo, saveAs } from '../../settings/support';

describe('settings: masks in unexpected places', () => {
  const masks = [
    '**********',
    'REAL****1234',
    '••••1234',
    '<redacted>',
    '[HIDDEN]',
    'REDACTED',
    'sk-…1234',
    'sk-...1234',
  ];
  for (const mask of masks)
    it(`recognizes ${mask} at any depth`, () => {
      for (const value of [mask, [mask], { a: { b: [1, { c: mask }] } }]) assert.ok(hidesSomething(value));
    });
  const plain: Json[] = [
    '*',
    '**/*.ts',
    'a and...',
    '',
    'removed',
    'hidden',
    '* * * * *',
    'text… more',
    5,
    null,
    {},
  ];
  for (const value of plain)
    it(`doesn’t treat ${JSON.stringify(value)} as a mask`, () => assert.equal(hidesSomething(value), false));

  /** A service that returns additional fields. */
  function showing(more: Record<string, Json>): FakeService {
    const service = fakeService('observed', { language: 'de', agent: 'Agent' });
    service.rewrite = (answer) =>
      answer.status === 200 && typeof answer.body === 'object' && 'language' in (answer.body ?? {})
        ? { ...answer, body: { ...answer.body, ...more } }
        : answer;
    return service;
  }

  const cases: [name: string, more: Record<string, Json>][] = [
    ['an unknown field', { other_api_key: '**********' }],
    ['a partial mask', { other_api_key: 'REAL****1234' }],
    ['a nested value in an unknown field', { vault: { keys: [{ value: '<redacted>' }], other: 1 } }],
    ['a known field', { git_user_email: 'a***@example.com' }],
  ];
  for (const [name, more] of cases)
    it(`asks before sending anything, and never sends a mask: ${name}`, async () => {
      const service = showing(more);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const change = { values: { language: 'it' } };
      const outcome = await saveAs('needsConfirmation', document, change);
      assert.deepEqual(outcome, { kind: 'needsConfirmation', about: 'masked', names: Object.keys(more) });
      assert.deepEqual(service.posts, []);
      const confirmed = [...(keyMayGo.confirmed ?? []), outcome];
      const { document: next } = await saveAs('saved', document, change, { confirmed });
      assert.equal(service.posts.length, 1);
      const [posted] = service.posts;
      assert.ok(posted);
      for (const field of Object.keys(more)) assert.equal(field in posted, false);
      // Asking once per form is enough.
      await saveAs('saved', next, { values: { language: 'fr' } });
    });

  it('doesn’t take the answer to one question for that to another', async () => {
    const service = showing({ one: '***' });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    const confirmed = [{ about: 'masked', names: ['one'] } as const];
    const { about } = await saveAs(
      'needsConfirmation',
      document,
      { values: { language: 'it' } },
      { confirmed },
    );
    assert.equal(about, 'sandboxApiKey');
  });

  it('asks again if more fields are masked than the user agreed to', async () => {
    const service = showing({ one: '***' });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    const confirmed = [...(keyMayGo.confirmed ?? []), { about: 'masked', names: ['other'] } as const];
    await saveAs('needsConfirmation', document, { values: { language: 'it' } }, { confirmed });
  });

  it('doesn’t ask about a masked field the user replaces', async () => {
    const service = showing({ git_user_email: 'a***@example.com' });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    await saveAs('saved', document, { values: { git_user_email: 'ada@example.com' } });
    assert.equal(service.posts[0]?.git_user_email, 'ada@example.com');
  });

  it('asks before storing a partial mask over an MCP server’s secret', async () => {
    const config = {
      sse_servers: [{ url: 'https://sse.example.com', api_key: 'sk-****1234' }],
      stdio_servers: [{ name: 'tool', command: 'run', args: [], env: { TOKEN: 'ghp…9876', MODE: 'x' } }],
      shttp_servers: [],
    };
    const service = fakeService('observed', { mcp_config: config });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    const outcome = await saveAs('needsConfirmation', document, { values: { language: 'it' } });
    assert.deepEqual(outcome, {
      kind: 'needsConfirmation',
      about: 'maskedServers',
      names: ['https://sse.example.com: api_key', 'tool: env.TOKEN'],
    });
    assert.deepEqual(service.posts, []);
  });
});
