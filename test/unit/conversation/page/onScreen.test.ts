import assert from 'node:assert/strict';
import { OnScreen } from '../../../../src/features/conversation/page/onScreen';
import { cardFor } from '../../../../src/features/conversation/page/state';
import { action } from '../../../support/conversation/entries';
import { drawnPage } from '../../../support/conversation/drawnPage';

const names = [
  'document',
  'window',
  'getComputedStyle',
  'requestAnimationFrame',
  'setTimeout',
  'clearTimeout',
];
const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

/** A card with two actions of 150 pixels in a box of 200 that scrolls, above its buttons. */
function laidOut(heights = [150, 150]) {
  const ids = heights.map((_height, at) => `a${at}`);
  const shown = drawnPage({ pending: ids.map((id) => action(id, `run ${id}`)) });
  const { app } = shown;
  app.state = { ...app.state, card: cardFor(app.state.head!.pending, app.state.card) };
  const layout = {
    heights,
    scrollTop: 0,
    bottom: 250,
    width: 300,
    buttons: 10_000,
    visibility: 'visible',
    isThere: true,
    hasButtons: true,
  };
  const all = () => layout.heights.reduce((sum, one) => sum + one, 0);
  const card = {
    overflowY: 'visible',
    parentElement: null,
    querySelector: (of: string) =>
      of === '.card-buttons' && layout.hasButtons
        ? { getBoundingClientRect: () => ({ top: layout.buttons }) }
        : null,
  };
  const box = {
    overflowY: 'auto',
    parentElement: card,
    clientHeight: 200,
    get scrollHeight() {
      return all();
    },
    get scrollTop() {
      return layout.scrollTop;
    },
    set scrollTop(wanted: number) {
      layout.scrollTop = Math.max(0, Math.min(wanted, all() - 200));
    },
    getBoundingClientRect: () => ({ top: 50, bottom: layout.bottom, width: layout.width }),
    querySelectorAll: (of: string) =>
      (of === '[data-action]' ? ids : []).map((id, at) => {
        const top = 50 - layout.scrollTop + layout.heights.slice(0, at).reduce((sum, one) => sum + one, 0);
        const height = layout.heights[at] ?? 0;
        return {
          dataset: { action: id },
          getBoundingClientRect: () => ({ top, bottom: top + height, height }),
        };
      }),
  };
  const frames: (() => void)[] = [];
  const timers: { act: () => void; ms: number }[] = [];
  Object.assign(globalThis, {
    document: {
      querySelector: (of: string) => (of === '.actions' && layout.isThere ? box : null),
      get visibilityState() {
        return layout.visibility;
      },
    },
    window: { innerHeight: 1_000 },
    getComputedStyle: ({ overflowY }: { overflowY: string }) => ({ overflowY }),
    requestAnimationFrame: (act: () => void) => frames.push(act),
    setTimeout: (act: () => void, ms: number) => timers.push({ act, ms }),
    clearTimeout: () => timers.splice(0),
  });
  const onScreen = new OnScreen(app);
  const state = () => {
    const { seen, hasRest, settled, seenActions } = app.state.card;
    return { seen, hasRest, settled, count: seenActions.length };
  };
  return { ...shown, layout, onScreen, state, frames, timers };
}

describe('what has to be on screen before it can be approved', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));
  afterEach(() => {
    for (const [name, descriptor] of kept)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  });

  it('is all of every action, and then half a second', () => {
    const { layout, onScreen, state, timers } = laidOut();
    onScreen.look();
    assert.deepEqual(state(), { seen: false, hasRest: true, settled: false, count: 1 });
    layout.scrollTop = 60;
    onScreen.look();
    assert.equal(state().seen, false);
    layout.scrollTop = 100;
    onScreen.look();
    assert.deepEqual(state(), { seen: true, hasRest: true, settled: false, count: 2 });
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [500],
    );
    timers[0]?.act();
    assert.equal(state().settled, true);
  });

  it('isn’t settled if something else waits by then', () => {
    const { app, layout, onScreen, state, timers } = laidOut([90, 90]);
    onScreen.look();
    assert.equal(state().seen, true);
    app.setCard({ signature: 'other' });
    timers[0]?.act();
    assert.equal(state().settled, false);
    assert.ok(layout.isThere);
  });

  it('isn’t what was skipped, behind buttons, or in a window that nobody sees', () => {
    const skipped = laidOut([150, 300]);
    skipped.onScreen.look();
    skipped.layout.scrollTop = 250;
    skipped.onScreen.look();
    assert.deepEqual(skipped.state(), { seen: false, hasRest: true, settled: false, count: 1 });
    const covered = laidOut([90, 90]);
    covered.layout.buttons = 200;
    covered.onScreen.look();
    assert.equal(covered.state().count, 1);
    const hidden = laidOut([90, 90]);
    hidden.layout.visibility = 'hidden';
    hidden.onScreen.look();
    assert.deepEqual(hidden.state(), { seen: false, hasRest: false, settled: false, count: 0 });
    const none = laidOut();
    none.layout.isThere = false;
    for (const act of ['look', 'showRest', 'passToEnd'] as const) none.onScreen[act]();
    assert.equal(none.state().count, 0);
    const free = laidOut([90, 90]);
    free.layout.hasButtons = false;
    free.onScreen.look();
    assert.equal(free.state().seen, true);
  });

  it('is noted once, and then only if more was seen', () => {
    const { app, layout, onScreen, timers, state } = laidOut([150, 500, 100]);
    const looks = () => {
      const { card } = app.state;
      onScreen.look();
      return app.state.card !== card;
    };
    assert.deepEqual([looks(), looks()], [true, false]);
    layout.scrollTop = 150;
    assert.equal(looks(), false);
    for (const top of [300, 450]) {
      layout.scrollTop = top;
      looks();
    }
    assert.equal(state().count, 2);
    for (const top of [500, 550]) {
      layout.scrollTop = top;
      looks();
    }
    assert.deepEqual([state().seen, timers.length], [true, 1]);
    assert.equal(looks(), false, 'all was seen');
    const nothing = laidOut([]);
    nothing.app.setCard({ signature: '' });
    nothing.onScreen.look();
    assert.deepEqual(nothing.state(), { seen: false, hasRest: false, settled: false, count: 0 });
  });

  it('is asked for again once its diff was reviewed, which makes it shorter', () => {
    const { app, layout, onScreen, state } = laidOut([400]);
    onScreen.look();
    app.set({ reviewed: new Set(['a0']) });
    layout.heights = [300];
    layout.scrollTop = 100;
    onScreen.look();
    assert.equal(state().seen, false);
    layout.scrollTop = 0;
    onScreen.look();
    assert.equal(state().seen, true);
  });

  it('is looked at again at another width, where lines break in other places', () => {
    const { layout, onScreen, state } = laidOut([300]);
    onScreen.look();
    layout.width = 200;
    layout.scrollTop = 100;
    onScreen.look();
    assert.equal(state().seen, false);
    layout.scrollTop = 0;
    onScreen.look();
    assert.equal(state().seen, true);
  });

  it('comes into view with a button, from where it wasn’t seen', () => {
    const { layout, onScreen } = laidOut([150, 500]);
    onScreen.look();
    onScreen.showRest();
    // The rest begins at 200, of which 15 % of the view stay above it.
    assert.equal(layout.scrollTop, 170);
  });

  it('comes into view step by step on the way to the end', () => {
    const { layout, onScreen, state, frames } = laidOut([150, 500]);
    const steps: number[] = [];
    onScreen.passToEnd();
    for (let frame = frames.shift(); frame; frame = frames.shift()) {
      steps.push(layout.scrollTop);
      frame();
    }
    assert.deepEqual(steps, [170, 340, 450]);
    assert.equal(state().seen, true);
    const short = laidOut([150, 60]);
    short.layout.scrollTop = 9;
    short.onScreen.passToEnd();
    assert.deepEqual([short.layout.scrollTop, short.frames.length], [10, 1], 'a pixel is left');
    short.frames.shift()?.();
    assert.equal(short.frames.length, 0);
  });
});
