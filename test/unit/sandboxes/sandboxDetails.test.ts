import assert from 'node:assert/strict';
import { detailsOf } from '../../../src/features/sandboxes/model/sandboxDetails';
import { aConversation, aSandbox } from '../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');

describe('sandbox details', () => {
  it('are readable text', () => {
    const sandbox = aSandbox({
      status: 'ERROR',
      status_detail: 'out of disk',
      created_by_user_id: 'mara',
      exposed_urls: [
        { name: 'VSCODE', url: 'https://one.example.com/x?tkn=canary' },
        { name: 'WORKER_1', url: 'no address' },
      ],
    });
    const conversations = [aConversation({ selected_repository: 'acme/shop' })];
    assert.equal(
      detailsOf(sandbox, conversations, now),
      `Mend the login test

State        Failed
Details      out of disk
Repository   acme/shop
Image        agent:1.0
Started      2026-01-01 00:00 UTC · 3 h ago
Started by   mara
ID           sb-1

Conversations
  Working   Mend the login test

Exposed URLs
  VS Code     https://one.example.com/x
  Web app 1   invalid address
`,
    );
  });

  it('omit missing values and members that could be secret', () => {
    const sandbox = { id: 'sb-1', session_api_key: 'canary', unknown: 'canary' };
    assert.equal(detailsOf(sandbox, [], now), 'Sandbox\n\nState   State unknown\nID      sb-1\n');
  });

  it('list the sandbox’s own conversations, but not all of many', () => {
    const own = Array.from({ length: 60 }, (_, at) => aConversation({ id: `c-${at}`, title: `Own ${at}` }));
    const other = aConversation({ title: 'Elsewhere', sandbox_id: 'sb-2' });
    const text = detailsOf(aSandbox(), [other, ...own], now);
    assert.doesNotMatch(text, /Elsewhere/);
    assert.equal(text.match(/ {2}Own /g)?.length, 50);
  });

  it('name the addresses', () => {
    const names = ['VSCODE', 'AGENT_SERVER', 'WORKER_12', 'MY_WORKER_1', 'WORKER_1_B', 'Docs'];
    const url = 'https://one.example.com';
    const text = detailsOf(aSandbox({ exposed_urls: names.map((name) => ({ name, url })) }), [], now);
    const shown = [...text.matchAll(/^ {2}(.*?) {2,}https/gm)].map(([, name]) => name);
    assert.deepEqual(shown, ['VS Code', 'Agent server', 'Web app 12', 'MY_WORKER_1', 'WORKER_1_B', 'Docs']);
  });
});
