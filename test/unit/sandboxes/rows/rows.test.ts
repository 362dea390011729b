import assert from 'node:assert/strict';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { specRows } from '../../../../src/features/sandboxes/rows/specs/view';
import { sandboxRowsOf as rowsOf, shownAt as now, tooltipText } from '../../../support/builders/rows';
import { aConversation, aList, aSandbox } from '../../../support/builders/records';

describe('Sandboxes view rows', () => {
  for (const [status, words, context] of [
    ['RUNNING', 'Running', 'sandbox.running'],
    ['running', 'Running', 'sandbox.running'],
    ['PAUSED', 'Paused', 'sandbox.paused'],
    ['STARTING', 'Starting…', 'sandbox.starting'],
    ['ERROR', 'Failed', 'sandbox.other'],
    ['MISSING', 'Missing', 'sandbox.missing'],
    ['DEEP_SLEEP', 'Deep sleep', 'sandbox.other'],
    [null, 'State unknown', 'sandbox.other'],
  ] as const) {
    it(`shows ${words} for the status ${status}`, () => {
      const created_at = '2026-01-01T02:58:00Z';
      const [row] = rowsOf({ sandboxes: aList([aSandbox({ status, created_at })]) });
      assert.ok(row);
      assert.equal(row.description, `${words} · 2 min ago`);
      assert.equal(row.contextValue, context);
      assert.equal(row.accessibilityLabel, `Sandbox agent:1.0, ${row.description}`);
    });
  }

  it('tells the sandboxes of attempts at one message apart', () => {
    const sandboxes = ['a', 'b'].map((id) => aSandbox({ id }));
    const conversations = ['a', 'b', 'b'].map((sandbox_id, index) =>
      aConversation({ id: `c${index}`, title: 'Fix it', sandbox_id }),
    );
    const labels = (of: typeof conversations) =>
      rowsOf({
        sandboxes: aList(sandboxes),
        conversations: of,
        differenceOf: ({ sandbox_id }) => `Model ${sandbox_id}`,
      }).map(({ label }) => label);
    assert.deepEqual(labels(conversations.slice(0, 2)), ['Model a – Fix it', 'Model b – Fix it']);
    // In a sandbox with other work, the name stands for all of it.
    assert.deepEqual(labels(conversations), ['Model a – Fix it', 'Fix it +1']);
  });

  it('shows a pending action instead of the status', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), pending: () => sandboxActions.pause });
    assert.ok(row);
    assert.match(row.description ?? '', /^Pausing…/);
    assert.equal(row.contextValue, 'sandbox.pending');
  });

  it('distinguishes requested pauses from pauses by the service', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'PAUSED' })]), pausedByService: () => true });
    assert.ok(row);
    assert.match(row.description ?? '', /^Paused by the service/);
    assert.equal(row.contextValue, 'sandbox.paused');
  });

  it('contains conversations and exposed URLs, without URL queries', () => {
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

  it('is named by the sandbox’s work, with the id only in the tooltip', () => {
    const sandbox = aSandbox({ id: 'oh-agent-server-7Qm2xVbT' });
    const conversations = [
      aConversation({ id: 'c-1', sandbox_id: sandbox.id, selected_repository: 'acme/shop' }),
      aConversation({
        id: 'c-2',
        sandbox_id: sandbox.id,
        title: 'Older',
        updated_at: '2025-12-01T00:00:00Z',
      }),
    ];
    const [row] = rowsOf({ sandboxes: aList([sandbox]), conversations });
    assert.ok(row);
    assert.equal(row.label, 'Mend the login test +1');
    assert.equal(row.description, 'Running · acme/shop · 3 h ago');
    assert.equal(row.accessibilityLabel, 'Sandbox Mend the login test +1, Running · acme/shop · 3 h ago');
    assert.equal(
      tooltipText(row),
      'Mend the login test +1\nState: Running\nRepository: acme/shop\nImage: agent:1.0\nStarted: 3 h ago\nID: oh-agent-server-7Qm2xVbT',
    );
  });

  it('is updated when its name changes', () => {
    const sandboxes = aList([aSandbox()]);
    rowsOf({ sandboxes, conversations: [aConversation()] });
    const [row] = rowsOf({ sandboxes, conversations: [aConversation({ title: 'Renamed' })] });
    assert.equal(row?.label, 'Renamed');
  });

  it('shows plain names for exposed URLs', () => {
    const exposed_urls = ['VSCODE', 'AGENT_SERVER', 'WORKER_1', 'docs'].map((name) => ({
      name,
      url: 'https://one.example.com',
    }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ exposed_urls })]) });
    assert.deepEqual(
      row?.children?.map(({ label }) => label),
      ['VS Code', 'Agent server', 'Web app 1', 'docs'],
    );
  });

  it('shows start details, but not after the sandbox runs', () => {
    const words = (status: string) =>
      rowsOf({ sandboxes: aList([aSandbox({ status, status_detail: 'pulling the image' })]) })[0]
        ?.description;
    assert.match(words('STARTING') ?? '', /^Slow to start · pulling the image · /);
    assert.match(words('ERROR') ?? '', /^Failed · pulling the image · /);
    assert.equal(words('RUNNING'), 'Running · 3 h ago');
  });

  it('doesn’t show a new sandbox as failed before it is healthy', () => {
    const created_at = new Date(now - 30_000).toISOString();
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'ERROR', created_at })]) });
    assert.match(row?.description ?? '', /^Not ready yet/);
  });

  it('shows the first of many conversations, and the number of hidden ones', () => {
    const conversations = Array.from({ length: 60 }, (_, index) => aConversation({ id: `c-${index}` }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), conversations });
    assert.equal(row?.children?.length, 51);
    assert.equal(row.children.at(-1)?.label, 'and 10 more');
  });

  it('shows the first rows and “Load more” if the service returns all at once', () => {
    const sandboxes = Array.from({ length: 500 }, (_, index) => aSandbox({ id: `sb-${index}` }));
    assert.equal(rowsOf({ sandboxes: aList(sandboxes) }).length, 201);
    assert.equal(rowsOf({ sandboxes: aList(sandboxes, { limit: 500 }) }).length, 500);
  });

  it('reuses unchanged rows', () => {
    const state = { sandboxes: aList([aSandbox(), aSandbox({ id: 'sb-2' })]) };
    const before = rowsOf(state);
    const [first, second] = state.sandboxes.items;
    const after = rowsOf({ sandboxes: aList([first!, { ...second!, status: 'PAUSED' }]) });
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.notEqual(rowsOf({ ...state, now: now + 86_400_000 })[0], before[0], 'the age must change');
  });

  it('ends with “Load more” if the service has more', () => {
    const rows = rowsOf({ sandboxes: aList([aSandbox()], { nextPageId: 'next' }) });
    assert.deepEqual(rows.at(-1)?.ref, { kind: 'loadMore', list: 'sandboxes' });
    assert.equal(rowsOf({ sandboxes: aList([aSandbox()]) }).length, 1);
  });

  it('removes control characters and truncates long text from the service', () => {
    const [row] = rowsOf({
      sandboxes: aList([
        aSandbox({ sandbox_spec_id: `x\u001b[31m\u202e${'y'.repeat(1_000_000)}`, status: '\u0007odd' }),
      ]),
    });
    assert.ok(row);
    for (const text of [row.label, row.description, tooltipText(row)]) {
      // Line breaks in the tooltip come from the extension.
      assert.doesNotMatch(text ?? '', /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
      assert.ok((text ?? '').length < 1000);
    }
  });
});

describe('Sandbox Specs view rows', () => {
  it('begins with the image’s name and tag, followed by the registry', () => {
    const [row] = [...specRows(aList([{ id: 'ghcr.io/acme/agent:1.0', working_dir: '/workspace' }]), now)];
    assert.ok(row);
    assert.equal(row.label, 'agent:1.0');
    assert.equal(row.description, 'ghcr.io/acme · /workspace');
    assert.match(tooltipText(row), /^agent:1\.0\nImage: ghcr\.io\/acme\/agent:1\.0\n/);
    assert.equal(row.contextValue, 'spec');
  });
});
