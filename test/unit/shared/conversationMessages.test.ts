import assert from 'node:assert/strict';
import { parseFromPage, refusedMessage, type FromPage } from '../../../src/shared/conversationFromPage';
import { longestText } from '../../../src/shared/bounded';
import {
  fittingMessage,
  keptPageSchema,
  parseToPage,
  pictureUris,
  type ToPage,
} from '../../../src/shared/conversationMessages';
import { action, head, lifelike } from '../../support/conversation/entries';
import { everyCase } from '../../support/everyCase';

/** A message of each type; the compiler reports missing types. */
const toPage: { [T in ToPage['type']]: Extract<ToPage, { type: T }> } = {
  head: { type: 'head', head: head({ pending: [action('a', 'ls')] }) },
  begin: { type: 'begin', id: 'c', service: 'http://x', draft: { text: 'd', revision: 1 } },
  options: { type: 'options', sendWith: 'ctrlEnter', elsewhere: 'Team B' },
  restart: { type: 'restart' },
  unavailable: { type: 'unavailable', message: 'm', nextStep: 'n', button: 'b' },
  entries: { type: 'entries', at: 0, removed: 1, added: lifelike(), hasOlder: true },
  olderLoaded: { type: 'olderLoaded', problem: '' },
  found: { type: 'found', query: 'q', ids: ['a'], searched: 'going' },
  reveal: { type: 'reveal', id: 'a' },
  reviewed: { type: 'reviewed', ids: ['a'] },
  restoreText: { type: 'restoreText', text: 't', revision: 2 },
  attachments: { type: 'attachments', attachments: [{ id: 'a', kind: 'quote', label: 'l', preview: null }] },
  aside: { type: 'aside', aside: { question: 'q', answer: 'a' } },
  skills: { type: 'skills', query: 'rev', items: [{ id: '/review', label: '/review', detail: 'Review' }] },
  context: { type: 'context', query: 'cart', items: [{ id: '1', label: 'cart.ts', detail: 'src' }] },
  pictures: { type: 'pictures', id: 'a', uris: ['data:image/png;base64,AQID'] },
  located: { type: 'located', paths: ['src/a.ts'] },
  move: { type: 'move', to: 'next' },
  focus: { type: 'focus', on: 'pending' },
  outcome: { type: 'outcome', of: 'approve', problem: 'p' },
  notice: { type: 'notice', message: 'm' },
};

const picture = 'data:image/png;base64,AQID';

const fromPage: { [T in FromPage['type']]: Extract<FromPage, { type: T }> } = {
  ready: { type: 'ready', draft: { text: '', revision: 0 } },
  loadOlder: { type: 'loadOlder' },
  goTo: { type: 'goTo', id: 'a' },
  search: { type: 'search', query: 'q', matchCase: true, wholeWord: false },
  draft: { type: 'draft', text: 't', revision: 1 },
  send: { type: 'send', text: 't', revision: 2 },
  locate: { type: 'locate', paths: ['/workspace/project/a.ts'] },
  openFile: { type: 'openFile', path: 'src/a.ts', id: 's', line: 3 },
  copyCode: { type: 'copyCode', text: 'const a = 1;' },
  takeBack: { type: 'takeBack', id: 'o' },
  resend: { type: 'resend', id: 'o' },
  dismissAside: { type: 'dismissAside' },
  addContext: { type: 'addContext' },
  findContext: { type: 'findContext', query: 'cart' },
  findSkills: { type: 'findSkills', query: 'rev' },
  mention: { type: 'mention', id: '1' },
  attachFiles: { type: 'attachFiles', uris: ['file:///a'] },
  attachPicture: { type: 'attachPicture', uri: picture },
  removeAttachment: { type: 'removeAttachment', id: 'a' },
  approve: { type: 'approve', ids: ['a'], marks: ['a 1 2'] },
  reject: { type: 'reject', ids: ['a'], reason: '' },
  pause: { type: 'pause' },
  interrupt: { type: 'interrupt' },
  resume: { type: 'resume' },
  changePolicy: { type: 'changePolicy' },
  openDiff: { type: 'openDiff', id: 'a' },
  showStep: { type: 'showStep', id: 'e-1' },
  openPort: { type: 'openPort', id: 'port-5173' },
  showChanges: { type: 'showChanges' },
  openWhole: { type: 'openWhole', id: 'a' },
  showPictures: { type: 'showPictures', id: 'a' },
  openAsText: { type: 'openAsText' },
  export: { type: 'export' },
  openPullRequest: { type: 'openPullRequest' },
  revealSandbox: { type: 'revealSandbox' },
  switchHere: { type: 'switchHere' },
  nextStep: { type: 'nextStep' },
  openLink: { type: 'openLink', url: 'https://x' },
  copy: { type: 'copy', id: 'a', what: 'command' },
  refused: { type: 'refused', what: 'w' },
};

describe('messages between a conversation’s page and the extension host', () => {
  it('arrive in the page unchanged', () =>
    everyCase(
      Object.values(toPage),
      ({ type }) => type,
      (sent) => {
        assert.deepEqual(parseToPage(structuredClone(sent)), { ok: true, message: sent });
        assert.equal(parseFromPage(sent).ok, false);
      },
    ));
  it('arrive in the host unchanged', () =>
    everyCase(
      Object.values(fromPage),
      ({ type }) => type,
      (sent) => {
        assert.deepEqual(parseFromPage(structuredClone(sent)), { ok: true, message: sent });
        assert.equal(parseToPage(sent).ok, false);
      },
    ));

  const forged: [what: string, data: unknown][] = [
    ['nothing', undefined],
    ['a text', 'send'],
    ['a list', []],
    ['no type', {}],
    ['an unknown type', { type: 'approveAll' }],
    ['a member too many', { type: 'pause', now: true }],
    ['an approval without ids', { type: 'approve' }],
    ['an approval of what is no list', { type: 'approve', ids: 'a', marks: [] }],
    ['an approval of numbers', { type: 'approve', ids: [1], marks: [] }],
    ['an approval of what was shown otherwise', { type: 'approve', ids: ['a'] }],
    ['too many ids', { type: 'approve', ids: Array.from({ length: 1_000_001 }, () => 'a'), marks: [] }],
    ['a rejection without a reason', { type: 'reject', ids: [] }],
    ['a message that is no text', { type: 'send', text: { toString: 'x' } }],
    ['too long a message', { type: 'send', text: 'x'.repeat(4_000_001) }],
    ['too long a link', { type: 'openLink', url: 'x'.repeat(2_001) }],
    ['a picture from the web', { type: 'attachPicture', uri: 'https://x/a.png' }],
    ['a picture that is a page', { type: 'attachPicture', uri: 'data:text/html;base64,AQID' }],
    ['a picture with markup', { type: 'attachPicture', uri: 'data:image/svg+xml;base64,AQID' }],
    ['too large a picture', { type: 'attachPicture', uri: `${picture}${'A'.repeat(2_000_000)}` }],
    ['a copy of something else', { type: 'copy', id: 'a', what: 'secret' }],
  ];
  it('are refused in the host if they are forged', () =>
    everyCase(
      forged,
      ([what]) => what,
      ([, data]) => {
        const parsed = parseFromPage(data);
        assert.equal(parsed.ok, false);
        assert.ok(parsed.reason.length < 300);
      },
    ));

  it('have the words of services shortened to what the page takes, and nothing else changed', () => {
    const most = 'x'.repeat(longestText);
    const cut = `${most.slice(1)}…`;
    const texts = {
      notice: ['message'],
      unavailable: ['message', 'nextStep'],
      olderLoaded: ['problem'],
      outcome: ['problem'],
    } as const;
    const told = (type: keyof typeof texts, text: string): ToPage => ({
      ...toPage[type],
      ...Object.fromEntries(texts[type].map((name) => [name, text])),
    });
    for (const type of Object.keys(texts) as (keyof typeof texts)[]) {
      assert.deepEqual(fittingMessage(told(type, `${most}x`)), told(type, cut), type);
      assert.deepEqual(fittingMessage(told(type, most)), told(type, most), type);
      assert.ok(parseToPage(told(type, cut)).ok && !parseToPage(told(type, `${most}x`)).ok, type);
    }
    const answered = (answer: string): ToPage => ({ type: 'aside', aside: { question: 'q', answer } });
    assert.deepEqual(fittingMessage(answered(`${most}x`)), answered(cut));
    for (const sent of [...Object.values(toPage), { type: 'aside', aside: null } as const])
      assert.deepEqual(fittingMessage(sent), sent);
  });

  it('give back the text of one that is refused, and of no other message', () => {
    assert.deepEqual(refusedMessage({ type: 'send', text: 'hi', more: 1 }), { type: 'send', text: 'hi' });
    assert.deepEqual(refusedMessage({ type: 'goTo', text: 7 }), { type: 'goTo', text: '' });
    for (const none of [{ type: 'sent', text: 'hi' }, { text: 'hi' }, ['send'], 'send', null])
      assert.equal(refusedMessage(none), undefined);
  });

  it('has a line in place of each entry of another shape, and refuses heads of another shape', () => {
    const [entry, other] = lifelike();
    for (const odd of [
      { ...entry, html: '<b>' },
      { ...entry, kind: 'button' },
      { ...entry, at: 'now' },
      null,
    ]) {
      const parsed = parseToPage({ ...toPage.entries, added: [odd, other] });
      assert.ok(parsed.ok && parsed.message.type === 'entries');
      const [line, next] = parsed.message.added;
      assert.deepEqual([line?.kind, next], ['separator', other]);
    }
    const nameless = parseToPage({ ...toPage.entries, added: [null, {}, { id: 7, at: NaN }] });
    assert.ok(nameless.ok && nameless.message.type === 'entries');
    assert.equal(new Set(nameless.message.added.map(({ id }) => id)).size, 3);
    assert.deepEqual(
      nameless.message.added.map(({ at }) => at),
      [0, 0, 0],
    );
    assert.equal(parseToPage({ ...toPage.entries, added: entry }).ok, false);
    for (const wrong of [{ ...head(), key: 'k' }, { ...head(), execution: 'on fire' }, null])
      assert.equal(parseToPage({ type: 'head', head: wrong }).ok, false);
  });

  it('does not quote what it refuses', () => {
    const parsed = parseFromPage({ type: 'send', text: ['sk-secret'], revision: 1 });
    assert.deepEqual(parsed, { ok: false, reason: 'invalid_type at "text"' });
  });

  it('reads the state of the page, and refuses another version’s', () => {
    const kept = { id: 'c', service: 's', draft: 'd', place: { id: 'a', offset: 3 }, filter: 'all' };
    assert.ok(keptPageSchema.safeParse(kept).success);
    assert.ok(!keptPageSchema.safeParse({ ...kept, filter: 'some' }).success);
  });

  it('shows pictures that are inside their address, and no others', () => {
    const kept = ['data:image/png;base64,AQID', 'data:image/webp;base64,AQID'];
    const others = [
      'https://example.com/a.png',
      'data:image/svg+xml;base64,AQID',
      'data:text/html;base64,AQID',
      'data:image/png;base64,AQID" onerror="x',
      `data:image/png;base64,${'A'.repeat(2_000_001)}`,
      'file:///etc/passwd',
      7,
      null,
    ];
    assert.deepEqual(pictureUris([...others, ...kept]), kept);
    assert.equal(pictureUris(Array.from({ length: 9 }, () => kept[0])).length, 5);
    for (const uri of others) assert.equal(parseToPage({ type: 'pictures', id: 'a', uris: [uri] }).ok, false);
  });

  it('have at most as many pictures as a message can', () => {
    const picture = 'data:image/png;base64,AQID';
    for (const count of [1, 5, 6, 1_000])
      assert.equal(pictureUris(Array.from({ length: count }, () => picture)).length, Math.min(count, 5));
    assert.equal(pictureUris(['x', 5, ...Array.from({ length: 7 }, () => picture)]).length, 5);
  });
});
