import assert from 'node:assert/strict';
import type { Entry, Head } from '../../../../src/shared/transcript';
import { action, message, read, start, terminal } from '../../../support/conversation/entries';
import { many, startedConversation } from '../../../support/conversation/startedConversation';

/** A turn with these steps between question and answer. */
const turn = (steps: readonly Entry[]) => [
  message('user', 'Go', { id: 'q', at: start }),
  ...steps,
  message('agent', 'Done.', { id: 'z', at: start + 900 }),
];
const steps = (count: number) =>
  Array.from({ length: count }, (_, at) => terminal(`run ${at}`, '', 0, { id: `s${at}`, at: start + at }));

describe('the page of a conversation, as it starts', () => {
  let end: () => void = () => undefined;
  afterEach(() => end());
  const page = (kept?: unknown) => {
    const started = startedConversation(kept);
    ({ end } = started);
    const types = () => started.posted.map(({ type }) => type);
    return { ...started, types };
  };
  /** A page with 20 messages, each of a fifth of the view. */
  const opened = (entries: readonly Entry[] = many(20), head: Partial<Head> = {}, hasOlder = false) => {
    const shown = page();
    shown.begin(entries, head, hasOlder);
    shown.frame();
    return shown;
  };
  const kept = {
    ...{ id: 'c', service: 's', draft: 'Wait', revision: 3, place: { id: 'e4', offset: -20 } },
    ...{ filter: 'all', reason: null, seen: [] },
  };

  it('says that it can be filled, with the draft that it has kept', () => {
    assert.deepEqual(page().posted, [{ type: 'ready', draft: { text: '', revision: 0 } }]);
    end();
    assert.deepEqual(page(kept).posted, [{ type: 'ready', draft: { text: 'Wait', revision: 3 } }]);
    end();
    const broken = page({ ...kept, filter: 'other' });
    assert.deepEqual(broken.posted, [{ type: 'ready', draft: { text: '', revision: 0 } }]);
    assert.equal(broken.now().text, 'Loading the conversation…');
  });

  it('has the theme’s 16 colors of a terminal', () => {
    const colors = page().sheets.flatMap(({ text }) => text.split('\n'));
    assert.equal(colors.length, 32);
    for (const rule of [
      '.fg-1 { color: var(--vscode-terminal-ansiRed, inherit); }',
      '.bg-7 { background: var(--vscode-terminal-ansiWhite, transparent); }',
      '.fg-8 { color: var(--vscode-terminal-ansiBrightBlack, inherit); }',
      '.bg-15 { background: var(--vscode-terminal-ansiBrightWhite, transparent); }',
    ])
      assert.ok(colors.includes(rule), rule);
  });

  it('says to screen readers what the agent says', () => {
    const { body, receive, said } = opened();
    assert.deepEqual(
      body.children.map(({ className, attributes }) => [className, attributes]),
      [['visually-hidden', { role: 'status' }]],
    );
    receive({ type: 'entries', at: 20, removed: 0, added: many(1, 20), hasOlder: false });
    assert.equal(said(), 'Agent: Say 20');
  });

  it('goes back to where it was left, and keeps that until it’s there', () => {
    const shown = page(kept);
    shown.receive({ type: 'begin', id: 'c', service: 's', draft: { text: '', revision: 0 } });
    assert.deepEqual(shown.stored.at(-1), kept);
    shown.begin(many(20));
    shown.frame();
    assert.equal(shown.onScreen()[0], 'e4 at -20');
    assert.deepEqual(shown.stored.at(-1), kept);
    assert.equal(shown.focus(), undefined, 'the focus stays where it is');
  });

  it('keeps where the user reads', () => {
    const { scrollTo, frame, stored, onScreen } = opened();
    scrollTo(730);
    frame();
    assert.equal(onScreen()[0], 'e6 at -30');
    assert.deepEqual((stored.at(-1) as typeof kept).place, { id: 'e6', offset: -30 });
    scrollTo(9_999);
    frame();
    assert.equal((stored.at(-1) as typeof kept).place, null);
  });

  it('looks where it is once a frame, however often the view scrolls', () => {
    const { scrollTo, frame, stored } = opened();
    const before = stored.length;
    for (const top of [10, 20, 30]) scrollTo(top);
    assert.equal(stored.length, before);
    frame();
    assert.equal(stored.length, before + 1);
    scrollTo(40);
    frame();
    assert.equal(stored.length, before + 2);
  });

  it('offers the way to the end, and counts what is new there until the user has been there', () => {
    const { scrollTo, frame, now, receive, onScreen } = opened();
    assert.ok(!now().buttons.includes('Scroll to End'));
    scrollTo(500);
    frame();
    assert.ok(now().buttons.includes('Scroll to End'));
    receive({ type: 'entries', at: 20, removed: 0, added: many(2, 20), hasOlder: false });
    assert.ok(now().buttons.includes('2 new'));
    scrollTo(600);
    frame();
    assert.ok(now().buttons.includes('2 new'), 'not at the end yet');
    scrollTo(9_999);
    frame();
    assert.ok(!now().buttons.some((name) => /new|Scroll/.test(name)));
    receive({ type: 'entries', at: 22, removed: 0, added: many(1, 22), hasOlder: false });
    assert.equal(onScreen().at(-1), 'e22');
    assert.ok(!now().buttons.includes('1 new'));
    scrollTo(0);
    receive({ type: 'move', to: 'end' });
    assert.equal(onScreen().at(-1), 'e22');
  });

  it('asks for older entries near the top only', () => {
    const far = opened(many(20), {}, true);
    assert.deepEqual(far.types(), ['ready']);
    far.scrollTo(601);
    far.frame();
    assert.deepEqual(far.types(), ['ready']);
    far.scrollTo(599);
    far.frame();
    assert.deepEqual(far.types(), ['ready', 'loadOlder']);
    end();
    assert.deepEqual(opened(many(3), {}, true).types(), ['ready', 'loadOlder'], 'without scrolling');
  });

  it('stays in place as something above it grows, and at the end there', () => {
    const { layout, scrollTo, onScreen, looked, frame } = opened();
    layout.height = 110;
    layout.resized();
    assert.equal(onScreen().at(-1), 'e19');
    assert.equal(layout.scrollTop, 21 * 110 - 500);
    scrollTo(110 * 6 + 30);
    frame();
    layout.height = 150;
    layout.resized();
    assert.equal(onScreen()[0], 'e5 at -30');
    assert.deepEqual([looked.length, new Set(looked).size], [2, 2], 'each element is watched once');
  });

  it('goes to the next message, or the one before', () => {
    const { receive, focus } = opened();
    receive({ type: 'move', to: 'previous' });
    receive({ type: 'move', to: 'previous' });
    assert.equal(focus(), 'e18');
    receive({ type: 'move', to: 'next' });
    assert.equal(focus(), 'e19');
  });

  it('asks which of the files are here that are drawn', () => {
    const { posted } = opened([message('agent', 'See `src/a.ts`.')]);
    assert.deepEqual(posted.slice(1), [{ type: 'locate', paths: ['src/a.ts'] }]);
  });

  it('shows what the agent is writing', () => {
    const { keys, now } = opened(many(1), { written: { id: 'w', text: 'So far' } });
    assert.deepEqual(keys(), ['day:e0', 'e0', 'w']);
    assert.match(now().text, /writing… So far/);
  });

  it('stays where a step is opened at the end', () => {
    const { now, receive, onScreen } = opened([
      ...many(9),
      terminal('ls', '', 0, { id: 's', at: start + 9 }),
    ]);
    now().dispatch('class="step-line"', 'click');
    receive({ type: 'entries', at: 10, removed: 0, added: many(2, 10), hasOlder: false });
    assert.equal(onScreen().at(-1), 's');
  });

  it('looks whether all of an action was on screen when it may be', () => {
    const asking = { execution: 'waiting_for_confirmation', pending: [action('x', 'ls')] } as const;
    const offersRest = ({ now }: ReturnType<typeof opened>) => now().buttons.includes('Show the Rest');
    const asked = () => opened(many(1), { ...asking, pending: [...asking.pending] });
    const looks = (look: (shown: ReturnType<typeof opened>) => void) => {
      const shown = asked();
      assert.ok(offersRest(shown));
      shown.actions.scrollTop = 100;
      look(shown);
      end();
      return !offersRest(shown);
    };
    assert.ok(looks(({ layout }) => layout.resized()));
    assert.ok(looks(({ tell }) => tell('window resize')));
    assert.ok(looks(({ tell }) => tell('document visibilitychange')));
    assert.ok(
      looks(({ tell, frame }) => {
        tell('document scroll', {}, false);
        frame();
      }),
    );
    const shown = asked();
    shown.now().press('Show the Rest');
    assert.equal(shown.actions.scrollTop, 170);
  });

  it('opens the editor’s menu below its button', () => {
    const { now, events, ifThere } = opened();
    const button = ifThere('id="more"');
    assert.ok(button);
    button.getBoundingClientRect = () => ({ left: 30, top: 0, bottom: 24, height: 24 });
    now().press('More Actions…');
    const [[mark, event] = []] = events;
    assert.deepEqual(
      [mark, { ...event }],
      [
        'id="more"',
        { ...{ type: 'contextmenu', bubbles: true, cancelable: true }, ...{ clientX: 30, clientY: 24 } },
      ],
    );
    assert.match(
      now().html,
      /class="menu" data-vscode-context="{&quot;webviewSection&quot;:&quot;conversation&quot;,[^"]*:true}"/,
    );
  });

  it('counts the seconds of what the agent does', () => {
    const { now } = Date;
    try {
      Date.now = () => 100_000;
      const { timers, ifThere } = opened(many(1), { live: { text: 'Running', since: 98_000 } });
      const [timer] = timers;
      assert.equal(timer?.ms, 1_000);
      Date.now = () => 105_000;
      timer.act();
      assert.equal(ifThere('data-since="98000"')?.textContent, '7 s');
    } finally {
      Date.now = now;
    }
  });

  it('tells the extension of a draft, and keeps where it is, before it’s hidden', () => {
    const { tell, types, stored, now } = opened();
    now().dispatch('id="composer"', 'input', { target: { value: 'Hm', selectionEnd: 2 } });
    assert.deepEqual(types(), ['ready']);
    stored.length = 0;
    tell('document visibilitychange');
    assert.deepEqual([types(), stored.length], [['ready', 'draft'], 1]);
  });

  describe('with turns', () => {
    it('goes to an entry in a turn that’s folded, and in a fold in it', () => {
      const inner = [read('a', { id: 'r1', at: start }), read('b', { id: 'r2', at: start }), ...steps(5)];
      const shown = opened(turn(inner));
      assert.deepEqual(shown.keys(), ['day:q', 'q', 'turn:s4', 'z']);
      shown.receive({ type: 'reveal', id: 's2' });
      assert.deepEqual(shown.keys().slice(2), ['turn:s4', 'fold:r1', 's0', 's1', 's2', 's3', 's4', 'z']);
      assert.match(shown.now().html, /data-key="s2"[^>]*\stabindex="0"/);
      end();
      const deeper = opened(turn(inner));
      deeper.receive({ type: 'reveal', id: 'r2' });
      assert.deepEqual(deeper.keys().slice(2, 6), ['turn:s4', 'fold:r1', 'r1', 'r2']);
      assert.match(deeper.now().html, /data-key="r2"[^>]*\stabindex="0"/);
    });

    it('goes back to a turn that was folded there, and leaves it so', () => {
      const shown = page({ ...kept, place: { id: 'turn:s4', offset: 0 } });
      shown.begin([...turn(steps(5)), ...many(9, 1_000)]);
      assert.deepEqual(shown.keys().slice(0, 4), ['day:q', 'q', 'turn:s4', 'z']);
      assert.equal(shown.onScreen()[0], 'turn:s4 at 0');
      end();
      const grown = page({ ...kept, place: { id: 'turn:s2', offset: 0 } });
      grown.begin([...turn(steps(5)), ...many(9, 1_000)]);
      assert.equal(grown.onScreen()[0], 's2 at 0', 'with more steps than it had');
    });

    it('opens and closes as it’s pressed', () => {
      const { now, keys } = opened(turn(steps(5)));
      now().dispatch('class="step-line"', 'click');
      assert.equal(keys().length, 9);
      now().dispatch('aria-expanded="true"', 'click');
      assert.equal(keys().length, 4);
    });

    const running = { execution: 'running' } as const;
    /** Keys of a page whose turn of these steps ends, after the user did something. */
    const ended = (act: (shown: ReturnType<typeof opened>) => void, count = 8) => {
      const shown = opened(turn(steps(count)).slice(0, -1), running);
      act(shown);
      shown.receive({
        type: 'entries',
        at: count + 1,
        removed: 0,
        added: turn([]).slice(1),
        hasOlder: false,
      });
      const { head } = shown;
      shown.receive({ type: 'head', head });
      return shown.keys();
    };

    it('folds reads even if somebody reads them', () => {
      const reads = ['a', 'b'].map((id, at) => read(id, { id, at: start + at }));
      const shown = opened([message('user', 'Go', { id: 'q', at: start }), reads[0]!], running);
      shown.focusOn('data-key="a"');
      shown.receive({ type: 'entries', at: 2, removed: 0, added: reads.slice(1), hasOlder: false });
      assert.deepEqual(shown.keys(), ['day:q', 'q', 'fold:a']);
    });

    it('folds a turn that ends while nobody reads it', () => {
      assert.deepEqual(
        ended(() => undefined),
        ['day:q', 'q', 'turn:s7', 'z'],
      );
    });

    it('leaves a turn open that somebody reads as it ends, and what is open in it', () => {
      const shown = opened(turn(steps(8)).slice(0, -1), running);
      shown.scrollTo(100);
      shown.now().dispatch('class="step-line"', 'click');
      shown.receive({ type: 'entries', at: 9, removed: 0, added: turn([]).slice(1), hasOlder: false });
      shown.receive({ type: 'head', head: shown.head });
      assert.match(shown.now().html, /data-event="s0"[^]*aria-expanded="true"[^]*data-event="s1"/);
      end();
      const all = ['day:q', 'q', 'turn:s7', ...steps(8).map(({ id }) => id), 'z'];
      assert.deepEqual(
        ended(({ scrollTo }) => scrollTo(100)),
        all,
        'further up',
      );
      assert.deepEqual(
        ended(({ focusOn }) => focusOn('data-key="s6"')),
        all,
        'with the focus',
      );
      assert.deepEqual(
        ended(({ focusOn }) => focusOn('data-key="q"')),
        ['day:q', 'q', 'turn:s7', 'z'],
        'only its question',
      );
    });
  });
});
