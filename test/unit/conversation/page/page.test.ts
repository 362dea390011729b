import assert from 'node:assert/strict';
import type { ConversationState } from '../../../../src/features/conversation/page/state';
import { nothingKnown } from '../../../../src/shared/about';
import type { Head, MessageEntry } from '../../../../src/shared/transcript';
import { among, drawnPage as page } from '../../../support/conversation/drawnPage';

/** A message of the user. */
const message = (id: string, text: string, at = 0): MessageEntry => ({
  ...{ kind: 'message', id, at, from: 'user', images: 0, thought: '' },
  text: { text, length: text.length },
});

describe('the page of a conversation', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));

  it('says why there’s nothing, with what to do about it', () => {
    assert.equal(page({}, { head: null }).text, 'Loading the conversation…');
    const unavailable = { message: 'No.', nextStep: 'Connect.', button: 'Connect…' };
    const shown = page({}, { unavailable });
    assert.equal(shown.text, 'No. Connect. Connect…');
    shown.press('Connect…');
    shown.press('Connect…');
    assert.deepEqual(shown.posted, [{ type: 'nextStep' }, { type: 'nextStep' }]);
    assert.deepEqual(page({}, { unavailable: { ...unavailable, button: undefined } }).buttons, []);
  });

  it('offers to steer an agent only as its state allows', () => {
    const steers = (head: Partial<Head>) => among(page(head), 'Pause', 'Interrupt', 'Resume');
    assert.deepEqual(steers({ execution: 'running', canInterrupt: true }), ['Pause', 'Interrupt']);
    assert.deepEqual(steers({ execution: 'running', canInterrupt: false }), ['Pause']);
    for (const execution of ['paused', 'error'] as const) assert.deepEqual(steers({ execution }), ['Resume']);
    for (const execution of ['idle', 'finished', 'stuck', 'unknown', 'deleting'] as const)
      assert.deepEqual(steers({ execution }), []);
    for (const limit of ['stored', 'busy'] as const)
      assert.deepEqual(steers({ execution: 'paused', limit }), ['Resume']);
    for (const limit of ['gone', 'unreachable', 'deleted', 'refused', 'noEvents'] as const)
      assert.deepEqual(steers({ execution: 'paused', limit }), []);
  });

  it('steers once until there’s an answer', () => {
    const shown = page({ execution: 'running', canInterrupt: true });
    shown.press('Pause');
    const again = shown.draw();
    assert.deepEqual(among(again, 'Pause'), ['Pause (disabled)']);
    again.press('Pause');
    again.press('Interrupt');
    assert.deepEqual(shown.posted, [{ type: 'pause' }, { type: 'interrupt' }]);
  });

  it('has facts only where they’re known', () => {
    const unknown = { cost: null, tokens: null, context: null, masked: 0 };
    assert.ok(!/tokens|Context \d|secret|\$/.test(page(unknown).text));
    const { text, html } = page({
      ...{ cost: 1.25, tokens: 12_345, context: { used: 1_000, size: 3_000 }, masked: 1 },
    });
    for (const part of ['$1.25', '12.3K tokens', 'Context 33% full', '1 secret masked'])
      assert.ok(text.includes(part), part);
    assert.ok(html.includes('Tokens in and out: 12,345'));
    assert.match(
      page({ context: { used: 9, size: 3 }, masked: 2 }).text,
      /Context 100% full 2 secrets masked/,
    );
    assert.ok(!/Context \d/.test(page({ context: { used: 1, size: 0 } }).text));
  });

  it('tells what the conversation is about, and leads there', () => {
    assert.deepEqual(among(page({ about: nothingKnown }), 'Sandbox', '#7', 'Lab'), []);
    const about = {
      ...nothingKnown,
      ...{ repository: 'me/shop', branch: 'fix', pullRequests: '#7', hasPullRequestPage: true },
      ...{ model: 'openai/swift', hasSandbox: true, folder: '/home/me/shop' },
    };
    const shown = page({ about }, { elsewhere: 'Lab' });
    for (const words of ['me/shop', 'fix', 'swift', 'shop']) assert.ok(shown.text.includes(` ${words} `));
    assert.ok(!shown.text.includes('openai/'));
    for (const name of ['Lab', '#7', 'Sandbox']) shown.press(name);
    assert.deepEqual(
      shown.posted.map(({ type }) => type),
      ['switchHere', 'openPullRequest', 'revealSandbox'],
    );
    assert.deepEqual(among(page({ about: { ...about, hasPullRequestPage: false } }), '#7'), []);
  });

  it('offers to change the policy of agents that can be made to ask', () => {
    const shown = page({ policy: 'riskyHigh' });
    shown.press('Approvals: high risk only');
    assert.deepEqual(shown.posted, [{ type: 'changePolicy' }]);
    assert.deepEqual(among(page({ policy: 'itself' }), 'Decides', 'Approvals'), []);
    assert.ok(page({ policy: 'itself' }).text.includes('Decides by itself'));
    assert.ok(!page({ policy: 'unknown' }).text.includes('Approvals'));
  });

  it('says in one place what stands in the way, with what helps', () => {
    const limited = page({ limit: 'asleep' });
    assert.ok(limited.text.includes('The sandbox is paused. Sending a message resumes it.'));
    limited.press('Resume Sandbox');
    const resuming = limited.draw();
    assert.ok(resuming.text.includes('Resuming the sandbox…'));
    assert.deepEqual(among(resuming, 'Resume Sandbox'), []);
    const failed = page({ limit: 'asleep', problem: 'It’s down.', readAt: 0 });
    assert.ok(failed.text.includes('It’s down. Last read at'));
    assert.ok(!failed.text.includes('is paused.'));
    assert.deepEqual(among(page({ limit: 'none', problem: 'No.' }), 'Try Again'), ['Try Again']);
    assert.ok(!page({ problem: 'No.', readAt: null }).text.includes('Last read'));
    assert.ok(!page({ limit: 'busy' }).html.includes('class="limit"'));
  });

  it('says what the agent does only while that’s known', () => {
    const live = { text: 'Running ls', since: Date.now() };
    assert.ok(page({ live }).text.includes('Running ls'));
    assert.ok(!page({ live, problem: 'No.' }).text.includes('Running ls'));
    assert.ok(!page({ live }).text.includes('Updates after each step'));
    assert.ok(page({ live, limit: 'busy' }).text.includes('Updates after each step'));
  });

  it('lets notices be dismissed, and goes on with the message', () => {
    const shown = page({}, { notices: ['One.', 'Two.'] });
    assert.ok(shown.text.includes('One. Two.'));
    shown.press('Dismiss');
    assert.deepEqual(shown.did, ['focus composer']);
    assert.deepEqual(shown.app.state.notices, []);
  });

  it('shows an answer on the side until it’s dismissed', () => {
    const shown = page({}, { aside: { question: 'Why?', answer: '**Because**' } });
    assert.match(shown.html, /<strong>Because<\/strong>/);
    shown.press('Copy Answer');
    shown.press('Dismiss');
    assert.deepEqual(shown.posted, [{ type: 'copyCode', text: '**Because**' }, { type: 'dismissAside' }]);
    assert.deepEqual(shown.did, ['focus composer']);
  });

  it('draws the blocks of a text, each as what it is', () => {
    const shown = (answer: string) => page({}, { aside: { question: '', answer } }).html.replace(/\s+/g, ' ');
    const table = shown('| A | B |\n| :- | -: |\n| 1 | **2** |');
    for (const part of [
      '<th data-align="left">A</th>',
      '<th data-align="right">B</th>',
      '<strong>2</strong>',
    ])
      assert.ok(table.includes(part), `${part} in ${table}`);
    assert.match(shown('## Two'), /<p class="heading" data-depth="2">Two<\/p>/);
    assert.match(shown('> said'), /<blockquote><p>said<\/p><\/blockquote>/);
    assert.match(shown('a\n\n---\n\nb'), /<hr \/>/);
    assert.match(shown('1. a\n2. b'), /<ol[^>]*>.*a.*b.*<\/ol>/);
    assert.match(shown('- a'), /<ul[^>]*>.*a.*<\/ul>/);
    const code = page({}, { aside: { question: '', answer: '```\nx = 1\n```' } });
    code.press('Copy Code');
    assert.deepEqual(code.posted, [{ type: 'copyCode', text: 'x = 1' }]);
  });

  it('says why no entry is there', () => {
    assert.ok(page({ readAt: null }).text.includes('Loading the conversation…'));
    assert.ok(page({ readAt: 1 }).text.includes('No events yet'));
    for (const head of [{ limit: 'noEvents' }, { problem: 'No.' }] as const)
      assert.match(page({ readAt: 1, ...head }).html, /<p class="empty muted"><\/p>/);
    const filtered = page({}, { entries: [message('a', 'Go')], filter: 'errors' });
    assert.ok(filtered.text.includes('Nothing matches the filter'));
  });

  it('numbers the entries only if all are there', () => {
    const entries = [message('a', 'One'), message('b', 'Two')];
    const tag = (shown: { html: string }, id: string) =>
      new RegExp(`<article[^>]*data-event="${id}"[^>]*>`, 's').exec(shown.html)?.[0] ?? '';
    const whole = page({}, { entries });
    // The day is the first.
    assert.match(tag(whole, 'b'), /aria-posinset="3"\s+aria-setsize="3"/);
    assert.match(tag(page({}, { entries, hasOlder: true }), 'b'), /aria-setsize="-1"/);
    assert.match(tag(whole, 'b'), /tabindex="0"/);
    const active = page({}, { entries, active: 'a' });
    assert.match(tag(active, 'a'), /tabindex="0"/);
    assert.match(tag(active, 'b'), /tabindex="-1"/);
  });

  it('leads to the end, and counts what is new there', () => {
    assert.deepEqual(among(page(), 'Scroll', '1 new'), []);
    const away = page({}, { isAtEnd: false });
    away.press('Scroll to End');
    assert.deepEqual(away.did, ['end']);
    assert.deepEqual(among(page({}, { isAtEnd: false, unseen: 1 }), 'Scroll', '1 new'), ['1 new']);
    const more = page({}, { isAtEnd: true, unseen: 3 });
    more.press('3 new');
    assert.deepEqual(among(more.draw(), 'Scroll', '3 new'), []);
  });

  it('reads earlier events again where that failed', () => {
    assert.ok(page({}, { loadingOlder: true }).text.includes('Loading earlier events…'));
    const failed = page({}, { olderFailed: true, hasOlder: true });
    failed.press('Load Earlier Events');
    assert.deepEqual(failed.posted, [{ type: 'loadOlder' }]);
    assert.deepEqual(among(page({}, { hasOlder: true }), 'Load Earlier'), []);
  });
});

describe('the search in a conversation', () => {
  const search = (state: Partial<NonNullable<ConversationState['search']>>) =>
    page({}, { search: { query: 'go', ids: [], current: undefined, searched: 'all', ...state } });

  it('counts what it found, and says what it didn’t search', () => {
    const ids = ['a', 'b', 'c'];
    for (const [state, words] of [
      [{ query: ' ' }, ''],
      [{}, 'No results'],
      [{ searched: 'part' }, 'No results (incomplete)'],
      [{ searched: 'going' }, 'Searching…'],
      [{ ids, current: 'b' }, '2 of 3'],
      [{ ids, current: 'c', searched: 'part' }, '3 of 3 (incomplete)'],
      [{ ids, current: 'a', searched: 'going' }, '1 of 3, searching…'],
    ] as const) {
      const { html } = search(state);
      assert.equal(/role="status">([^<]*)</.exec(html.slice(html.indexOf('<search')))?.[1], words);
    }
  });

  it('goes around, and ends where it was', () => {
    const shown = search({ ids: ['a', 'b'], current: 'b' });
    shown.app.state = { ...shown.app.state, entries: [message('a', 'go'), message('b', 'go')] };
    shown.press('Next Match');
    shown.press('Previous Match');
    assert.deepEqual(shown.did, ['reveal a', 'reveal b']);
    const prevented: string[] = [];
    const key = (name: string, shiftKey = false) =>
      shown.dispatch('id="search"', 'keydown', {
        ...{ key: name, shiftKey },
        ...{ preventDefault: () => prevented.push(name), stopPropagation: () => undefined },
      });
    key('Enter');
    key('Enter', true);
    key('x');
    assert.deepEqual(shown.did.slice(2), ['reveal a', 'reveal b']);
    key('Escape');
    assert.deepEqual(prevented, ['Enter', 'Enter', 'Escape']);
    assert.equal(shown.did.at(-1), 'leave true');
    assert.deepEqual(shown.posted.at(-1), { type: 'search', query: '' });
  });

  it('shows which options are on', () => {
    const shown = search({});
    shown.press('Match Case');
    assert.match(shown.draw().html, /aria-label="Match Case"[^>]*aria-pressed="true"/);
    assert.match(shown.draw().html, /aria-label="Match Whole Word"[^>]*aria-pressed="false"/);
  });
});

describe('the composer of a conversation', () => {
  it('sends what is there, and says what that does', () => {
    assert.deepEqual(among(page({ sendEffect: 'starts' }), 'Send'), ['Send (disabled)']);
    const shown = page({ sendEffect: 'starts' }, { text: 'Go' });
    assert.ok(shown.text.includes('The agent starts working on this.'));
    shown.press('Send');
    assert.deepEqual(
      shown.posted.map((one) => one.type === 'send' && one.text),
      ['Go'],
    );
    assert.equal(shown.app.state.text, '');
    assert.deepEqual(among(page({ sendEffect: 'impossible' }, { text: 'Go' }), 'Send'), ['Send (disabled)']);
    assert.deepEqual(among(page({ sendEffect: 'retries' }, { text: 'Go' }), 'Try Again'), ['Try Again']);
    const unsure = page({ sendEffect: 'starts', problem: 'No.' }, { text: 'Go' });
    assert.ok(unsure.text.includes('If the message can’t be sent, it’s kept here.'));
  });

  it('names the key that sends, as this computer’s keyboard has it', () => {
    const hintOf = (userAgent: string, sendWith: ConversationState['sendWith']) => {
      Object.assign(globalThis, { navigator: { userAgent } });
      return /placeholder="(Message[^"]*)"/.exec(page({}, { sendWith }).html)?.[1];
    };
    assert.equal(hintOf('Linux', 'enter'), 'Message the agent (Enter to send, Shift+Enter for a new line)');
    assert.equal(hintOf('Macintosh', 'ctrlEnter'), 'Message the agent (Cmd+Enter to send)');
    assert.equal(hintOf('Linux', 'ctrlEnter'), 'Message the agent (Ctrl+Enter to send)');
  });

  it('offers to try a message again only if it surely wasn’t sent', () => {
    const outgoing = (state: 'sending' | 'resuming' | 'unknown' | 'failed', problem = '') =>
      page({ outgoing: [{ id: 'o', text: 'Go', state, problem }], problem: 'Known.' });
    const offers = (...[state]: Parameters<typeof outgoing>) => {
      const { html } = outgoing(state);
      const part = html.slice(html.indexOf('class="outgoing"'), html.indexOf('id="composer"'));
      return [...part.matchAll(/>\s*(Try Again|Edit Message)\s*</g)].map(([, name]) => name);
    };
    assert.deepEqual(offers('failed'), ['Try Again', 'Edit Message']);
    assert.deepEqual(offers('unknown'), ['Edit Message']);
    assert.deepEqual(offers('sending'), []);
    assert.deepEqual(offers('resuming'), []);
    assert.ok(outgoing('failed', 'Too long.').text.includes('Not sent · Too long.'));
    assert.ok(!outgoing('failed', 'Known.').text.includes('· Known.'));
    const failed = page({ outgoing: [{ id: 'o', text: 'Go', state: 'failed', problem: '' }] });
    failed.press('Try Again');
    failed.press('Edit Message');
    assert.deepEqual(failed.posted, [
      { type: 'resend', id: 'o' },
      { type: 'takeBack', id: 'o' },
    ]);
  });

  it('has attachments that can be removed', () => {
    const shown = page({}, { attachments: [{ id: 'f', kind: 'quote', label: 'a.ts', preview: null }] });
    assert.ok(!shown.html.includes('thumbnail'));
    shown.press('Remove a.ts');
    assert.deepEqual(shown.posted, [{ type: 'removeAttachment', id: 'f' }]);
    assert.ok(
      page({}, { attachments: [{ id: 'f', kind: 'quote', label: 'a', preview: 'data:,' }] }).html.includes(
        'thumbnail',
      ),
    );
  });

  it('gives its place to the words that reject', () => {
    const asking = { execution: 'waiting_for_confirmation', proof: 'missing' } as const;
    assert.ok(page(asking).html.includes('id="composer"'));
    const card = { ...page().app.state.card, reason: 'No' };
    const rejecting = page(asking, { card });
    assert.ok(!rejecting.html.includes('id="composer"'));
    rejecting.press('Back');
    assert.deepEqual(rejecting.did, ['focus reject']);
    assert.ok(rejecting.draw().html.includes('id="composer"'));
  });
});
