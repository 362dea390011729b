import assert from 'node:assert/strict';
import { conversationRows } from '../../../src/views/conversations/rows';
import { sandboxRows, type SandboxesState } from '../../../src/views/sandboxes/rows';
import { specRows } from '../../../src/views/specs/rows';
import { aConversation, aList, aSandbox } from '../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');
const rowsOf = (values: Partial<SandboxesState>) =>
  sandboxRows({
    sandboxes: aList([]),
    conversations: [],
    pending: () => undefined,
    pausedByService: () => false,
    now,
    ...values,
  });

describe('rows of the view Sandboxes', () => {
  for (const [status, words, context] of [
    ['RUNNING', 'Running', 'sandbox.running'],
    ['running', 'Running', 'sandbox.running'],
    ['PAUSED', 'Paused', 'sandbox.paused'],
    ['STARTING', 'Starting…', 'sandbox.starting'],
    ['ERROR', 'Error', 'sandbox.other'],
    ['MISSING', 'Missing', 'sandbox.missing'],
    ['HIBERNATING', 'HIBERNATING', 'sandbox.other'],
    [null, 'State unknown', 'sandbox.other'],
  ] as const) {
    it(`says ${words} for the status ${status}`, () => {
      const [row] = rowsOf({ sandboxes: aList([aSandbox({ status })]) });
      assert.ok(row);
      assert.equal(row.description, `${words} · agent:1.0 · 3 h ago`);
      assert.equal(row.contextValue, context);
      assert.equal(row.accessibilityLabel, `Sandbox sb-1, ${row.description}`);
    });
  }

  it('shows a pending action instead of the status', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), pending: () => 'pausing' });
    assert.ok(row);
    assert.match(row.description ?? '', /^Pausing…/);
    assert.equal(row.contextValue, 'sandbox.pending');
  });

  it('tells a pause that was not asked for from one that was', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'PAUSED' })]), pausedByService: () => true });
    assert.ok(row);
    assert.match(row.description ?? '', /^Paused by the service/);
    assert.equal(row.contextValue, 'sandbox.paused');
  });

  it('holds the sandbox’s conversations and exposed URLs, without the query that may carry a secret', () => {
    const [row] = rowsOf({
      sandboxes: aList([
        aSandbox({ exposed_urls: [{ name: 'VSCODE', url: 'https://one.example.com:8443/x?tkn=canary' }] }),
      ]),
      conversations: [aConversation(), aConversation({ id: 'c-2', sandbox_id: 'other' })],
    });
    assert.ok(row);
    assert.deepEqual(
      row.children?.map(({ id }) => id),
      ['sandbox/sb-1/conversation/c-1', 'sandbox/sb-1/url/VSCODE'],
    );
    assert.equal(row.children[1]?.description, 'one.example.com:8443');
    assert.doesNotMatch(JSON.stringify(row), /canary/);
  });

  it('ends with “Load more” while the service has more', () => {
    const rows = rowsOf({ sandboxes: aList([aSandbox()], { nextPageId: 'next' }) });
    assert.deepEqual(rows.at(-1)?.ref, { kind: 'loadMore', list: 'sandboxes' });
    assert.equal(rowsOf({ sandboxes: aList([aSandbox()]) }).length, 1);
  });

  it('shows no control character and no endless text of the service', () => {
    const [row] = rowsOf({
      sandboxes: aList([aSandbox({ id: `x\u001b[31m\u202e${'y'.repeat(1_000_000)}`, status: '\u0007odd' })]),
    });
    assert.ok(row);
    for (const text of [row.label, row.description, row.tooltip]) {
      assert.doesNotMatch(text ?? '', /[\u0000-\u001f\u202a-\u202e]/);
      assert.ok((text ?? '').length < 1000);
    }
  });
});

describe('rows of the view Conversations', () => {
  it('puts those that wait for the user first, then the newest', () => {
    const rows = conversationRows(
      aList([
        aConversation({ id: 'old', created_at: '2025-12-01T00:00:00Z' }),
        aConversation({ id: 'new', created_at: '2026-01-01T00:00:00Z' }),
        aConversation({
          id: 'waits',
          created_at: '2025-11-01T00:00:00Z',
          execution_status: 'waiting_for_confirmation',
        }),
      ]),
      now,
    );
    assert.deepEqual(
      rows.map(({ ref }) => 'id' in ref && ref.id),
      ['waits', 'new', 'old'],
    );
  });

  it('says state, repository and branch in words', () => {
    const [row] = conversationRows(
      aList([aConversation({ selected_repository: 'acme/shop', selected_branch: 'main' })]),
      now,
    );
    assert.ok(row);
    assert.equal(row.description, 'Working · acme/shop · main · 3 h ago');
  });

  it('falls back on the sandbox’s state where the agent has none', () => {
    const [row] = conversationRows(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
      now,
    );
    assert.ok(row);
    assert.match(row.description ?? '', /^Sandbox paused/);
  });

  it('manages with a record that has only an id', () => {
    const [row] = conversationRows(aList([{ id: 'c-9' }]), now);
    assert.ok(row);
    assert.equal(row.label, 'c-9');
    assert.equal(row.description, '');
  });
});

describe('rows of the view Sandbox Specs', () => {
  it('shows a spec by its id', () => {
    const [row] = specRows(aList([{ id: 'agent:1.0', working_dir: '/workspace' }]), now);
    assert.ok(row);
    assert.equal(row.label, 'agent:1.0');
    assert.equal(row.description, '/workspace');
    assert.equal(row.contextValue, 'spec');
  });
});
