import assert from 'node:assert/strict';
import { detailsOf } from '../../../../src/state/sandboxes/sandboxDetails';
import { aConversation, aSandbox } from '../../../support/builders/records';

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
});
