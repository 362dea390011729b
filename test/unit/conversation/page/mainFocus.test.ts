import assert from 'node:assert/strict';
import { message } from '../../../support/conversation/entries';
import { many, startedConversation } from '../../../support/conversation/startedConversation';

type Shown = ReturnType<typeof startedConversation>;

describe('the page of a conversation', () => {
  let end: () => void = () => undefined;
  afterEach(() => end());
  const page = () => {
    const started = startedConversation();
    ({ end } = started);
    return started;
  };
  const opened = (entries = many(20)) => {
    const shown = page();
    shown.begin(entries);
    shown.frame();
    return shown;
  };

  describe('with the focus', () => {
    const toFocus = (on: 'composer' | 'pending' | 'feed') => ({ type: 'focus', on }) as const;

    it('goes where the user wants it once that’s there', async () => {
      const { receive, begin, frame, focus } = page();
      receive(toFocus('composer'));
      await Promise.resolve();
      assert.equal(focus(), undefined);
      begin(many(1));
      frame();
      assert.equal(focus(), 'composer');
      receive(toFocus('feed'));
      await Promise.resolve();
      assert.equal(focus(), 'feed', 'at once');
      receive({ type: 'reveal', id: 'e0' });
      frame();
      assert.equal(focus(), 'e0', 'once only');
    });

    it('stays where it is if the user does something else before', async () => {
      for (const event of ['keydown', 'pointerdown']) {
        const { receive, begin, frame, focus, tell } = page();
        receive(toFocus('composer'));
        await Promise.resolve();
        tell(`window ${event}`, { target: null, key: 'x' });
        begin(many(1));
        frame();
        assert.equal(focus(), undefined, event);
        end();
      }
    });

    it('is on the entry that is gone to from the transcript', async () => {
      const { receive, focus, keys, onScreen, now } = opened(many(200));
      receive({ type: 'reveal', id: 'e10' });
      assert.deepEqual([focus(), onScreen().includes('e10')], [undefined, true]);
      assert.match(now().html, /data-key="e10"[^>]*\stabindex="0"/);
      receive(toFocus('feed'));
      await Promise.resolve();
      receive({ type: 'reveal', id: 'e190' });
      assert.deepEqual([focus(), keys().includes('e10')], ['e190', false]);
      receive({ type: 'reveal', id: 'other' });
      assert.ok(onScreen().includes('e190'), 'what isn’t there moves nothing');
      assert.match(now().html, /data-key="e190"[^>]*\stabindex="0"/);
    });

    it('is in the transcript after what had it is no longer drawn', () => {
      const { scrollTo, receive, focus, focusOn } = opened(many(180));
      focusOn('data-key="e179"');
      scrollTo(0);
      receive({ type: 'notice', message: 'Hm.' });
      assert.equal(focus(), 'feed');
      end();
      const other = opened(many(180));
      other.scrollTo(0);
      other.receive({ type: 'notice', message: 'Hm.' });
      assert.equal(other.focus(), undefined, 'nothing had it');
    });

    it('is back on its entry after the extension has started over', () => {
      const { scrollTo, frame, focusOn, begin, focus, onScreen } = opened();
      scrollTo(730);
      frame();
      focusOn('data-key="e8"');
      begin(many(20));
      assert.deepEqual([focus(), onScreen()[0]], ['e8', 'e6 at -30']);
    });

    it('makes an entry the one that Tab reaches', () => {
      const { focusOn, now, drawings } = opened();
      focusOn('data-key="e17"');
      assert.match(now().html, /data-key="e17"[^>]*\stabindex="0"/);
      const before = drawings();
      focusOn('data-key="e17"');
      assert.equal(drawings(), before, 'nothing has changed');
    });
  });

  describe('with a search', () => {
    const key = (name: string, change: object = {}) => ({
      ...{ key: name, target: null, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
      ...{ preventDefault: () => undefined, stopPropagation: () => undefined, ...change },
    });
    const search = async (shown: Shown) => {
      shown.tell('window keydown', key('f', { ctrlKey: true }));
      await Promise.resolve();
      assert.equal(shown.focus(), 'search');
    };
    const escape = ({ now }: Shown) => now().dispatch('id="search"', 'keydown', key('Escape'));
    const type = ({ now }: Shown, value: string) =>
      now().dispatch('id="search"', 'input', { target: { value } });

    it('gives the focus back to what had it', async () => {
      const shown = opened();
      shown.focusOn('id="composer"');
      await search(shown);
      await search(shown);
      escape(shown);
      assert.equal(shown.focus(), 'composer');
      end();
      const none = opened();
      await search(none);
      escape(none);
      assert.equal(none.focus(), 'feed', 'nothing had it');
    });

    it('goes to the transcript if what had it is gone, or it went there meanwhile', async () => {
      const gone = opened(many(180));
      gone.focusOn('data-key="e179"');
      await search(gone);
      gone.scrollTo(0);
      gone.blur();
      gone.now().press('Close');
      assert.equal(gone.focus(), 'feed');
      end();
      const none = opened();
      await search(none);
      none.blur();
      none.now().press('Close');
      assert.equal(none.focus(), 'feed');
      end();
      const moved = opened();
      moved.focusOn('id="composer"');
      await search(moved);
      moved.receive({ type: 'focus', on: 'feed' });
      await Promise.resolve();
      escape(moved);
      assert.equal(moved.focus(), 'composer');
    });

    it('leaves the focus on what was found', async () => {
      const shown = opened();
      shown.focusOn('id="composer"');
      await search(shown);
      type(shown, 'say 7');
      shown.receive({ type: 'found', query: 'say 7', ids: ['e7'], searched: 'all' });
      escape(shown);
      assert.equal(shown.focus(), 'e7');
    });

    it('marks each place in what is drawn', async () => {
      const shown = opened([
        message('agent', 'a.b, aXb, A.B', { id: 'a' }),
        message('agent', 'a.b', { id: 'b' }),
      ]);
      await search(shown);
      type(shown, 'a.b');
      assert.deepEqual(shown.marked(), ['a.b', 'A.B', 'a.b']);
      shown.now().press('Match Case');
      assert.deepEqual(shown.marked(), ['a.b', 'a.b']);
      type(shown, ' ');
      assert.deepEqual(shown.marked(), []);
      type(shown, 'XB');
      escape(shown);
      assert.deepEqual(shown.marked(), []);
      await search(shown);
      type(shown, 'a.b');
      shown.receive({ type: 'unavailable', message: 'No.', nextStep: 'Connect.' });
      assert.deepEqual([shown.now().text, shown.marked()], ['No. Connect.', []]);
    });

    it('marks nothing more once that’s 2,000 places', async () => {
      const shown = opened(
        Array.from({ length: 5 }, (_, at) => message('agent', 'ж'.repeat(999), { id: `m${at}` })),
      );
      await search(shown);
      type(shown, 'ж');
      assert.equal(shown.marked().length, 3 * 999);
    });
  });
});
