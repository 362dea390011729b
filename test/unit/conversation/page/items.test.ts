import assert from 'node:assert/strict';
import { everyCase } from '../../../support/everyCase';
import * as fc from 'fast-check';
import { Coverage } from '../../../../src/features/conversation/page/onScreen';
import { exposed } from '../../../../src/shared/exposed';
import { exposedCode, exposedPath } from '../../../../src/shared/exposedCode';
import type { Entry, PendingAction } from '../../../../src/shared/transcript';
import {
  filters,
  foldOf,
  indexOfKey,
  ItemMaker,
  itemsOf,
  type Filter,
  withWritten,
  type Item,
} from '../../../../src/features/conversation/page/items';
import { markOf } from '../../../../src/shared/actionMark';
import { cardFor, noCard } from '../../../../src/features/conversation/page/state';
import { Heights, mostDrawn, rangeAround } from '../../../../src/features/conversation/page/window';
import {
  action,
  clipped,
  error,
  manyEntries,
  message,
  read,
  start,
  terminal,
} from '../../../support/conversation/entries';

const none = new Set<string>();
const shown = (filter: Filter, open: ReadonlySet<string> = none, isWorking = false) => ({
  filter,
  open,
  isWorking,
  hasOlder: false,
});
const day = 86_400_000;
const keys = (items: readonly Item[]) => items.map(({ key }) => key);

describe('items of a transcript', () => {
  const entries = [
    message('user', 'a', { id: 'a', at: start }),
    read('x', { id: 'r1', at: start + 1 }),
    read('y', { id: 'r2', at: start + 2 }),
    terminal('ls', '', 0, { id: 't', at: start + 3 }),
    read('z', { id: 'r3', at: start + 4 }),
    read('z', { id: 'r4', at: start + 2 * day }),
    error('e', 'f', { id: 'e', at: start + 2 * day + 1 }),
    read('q', { id: 'r5', at: start + 2 * day + 2, problem: clipped('missing'), state: 'failed' }),
  ];

  it('fold reads in a row of one day, and begin each day with a heading', () => {
    assert.deepEqual(keys(itemsOf(entries, shown('all', none))), [
      'day:a',
      'a',
      'fold:r1',
      't',
      'r3',
      'day:r4',
      'r4',
      'e',
      'r5',
    ]);
    const open = itemsOf(entries, shown('all', new Set(['fold:r1'])));
    assert.deepEqual(keys(open).slice(2, 6), ['fold:r1', 'r1', 'r2', 't']);
  });

  it('pass a filter', () => {
    assert.deepEqual(keys(itemsOf(entries, shown('messages', none))), ['day:a', 'a']);
    assert.deepEqual(keys(itemsOf(entries, shown('errors', none))), ['day:e', 'e', 'r5']);
  });

  it('are the same after any change as if made from scratch, and keep what didn’t change', () => {
    const kinds = [
      (at: number) => message('user', 'm', { at }),
      (at: number) => message('agent', 'm', { at }),
      (at: number) => message('environment', 'm', { at }),
      (at: number) => read('r', { at }),
      (at: number) => terminal('ls', '', 0, { at }),
      (at: number) => terminal('ls', '', 0, { at }),
      (at: number) => error('e', 'f', { at }),
    ];
    const one = fc.tuple(fc.constantFrom(...kinds), fc.nat(2));
    const change = fc.record({
      at: fc.nat(40),
      removed: fc.nat(3),
      added: fc.array(one, { maxLength: 9 }),
      isWorking: fc.boolean(),
      hasOlder: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 25 }),
        fc.constantFrom(...filters),
        fc.boolean(),
        (changes, filter, isSteady) => {
          const [maker, opener] = [new ItemMaker(), new ItemMaker()];
          let all: readonly Entry[] = [];
          for (const { at, removed, added, ...more } of changes) {
            all = all.toSpliced(at, removed, ...added.map(([make, on]) => make(start + on * day)));
            const view = { ...shown(filter), ...(!isSteady && more) };
            assert.deepEqual(maker.itemsOf(all, view), itemsOf(all, view));
            const open = new Set(all.flatMap(({ id }) => [`fold:${id}`, `turn:${id}`]));
            assert.deepEqual(opener.itemsOf(all, { ...view, open }), itemsOf(all, { ...view, open }));
          }
        },
      ),
      { numRuns: 500 },
    );
    const many = manyEntries(1_000);
    const maker = new ItemMaker();
    const [first] = maker.itemsOf(many, shown('all', none));
    assert.equal(maker.itemsOf([...many, message('user', 'Newer')], shown('all', none))[0], first);
  });

  it('end with what the agent is writing, until that’s there', () => {
    const items = itemsOf(entries, shown('all', none));
    const written = { id: 'w', text: 'Hi' };
    const [last, ...others] = withWritten(items, entries, 'all', written).toReversed();
    assert.deepEqual(others.reverse(), items);
    const said = { text: clipped('Hi'), images: 0, thought: '' };
    const entry = { kind: 'message', from: 'agent', id: 'w', at: entries.at(-1)?.at, ...said };
    assert.deepEqual(last, { kind: 'entry', key: 'w', entry, isBeingWritten: true });
    const first = withWritten([], [], 'messages', written)[0];
    assert.equal(first?.kind === 'entry' && first.entry.at, 0);
    for (const same of [
      withWritten(items, entries, 'errors', written),
      withWritten(items, entries, 'all', null),
      withWritten(items, [...entries, message('agent', 'Hi', { id: 'w' })], 'all', written),
    ])
      assert.equal(same, items);
  });

  it('are found by their keys, near a place or far from it', () => {
    const items = itemsOf(manyEntries(100), shown('all', none));
    for (const [index, { key }] of items.entries())
      for (const about of [0, index, 200, items.length]) assert.equal(indexOfKey(items, key, about), index);
    assert.equal(indexOfKey(items, 'missing', 7), -1);
    assert.equal(indexOfKey([], 'missing', 0), -1);
  });

  it('are found by the entry that they hide', () => {
    const items = itemsOf(entries, shown('all', none));
    const fold = foldOf(items, 'r2');
    assert.equal(fold, items[2]);
    assert.deepEqual([foldOf(items, 't'), foldOf(items, 'missing')], [undefined, undefined]);
    const open = new Set([fold?.key ?? '']);
    assert.equal(foldOf(itemsOf(entries, shown('all', open)), 'r2'), undefined);
  });
});

describe('window of items', () => {
  const items = itemsOf(manyEntries(1_000), shown('all', none));

  it('is bounded, holds the item asked for, and leaves room for the others', () => {
    const heights = new Heights();
    for (const [index, item] of items.entries()) if (index % 3 === 0) heights.set(item, 10 + (index % 50));
    const total = heights.between(items, 0, items.length);
    for (const index of [0, 1, 60, 500, items.length - 1]) {
      const { start: first, end, above, below } = rangeAround(items, index, heights);
      assert.ok(end - first === mostDrawn && first <= index && index < end);
      assert.ok(Math.abs(above + heights.between(items, first, end) + below - total) < 0.01);
    }
    assert.deepEqual(rangeAround([], -1, heights), { start: 0, end: 0, above: 0, below: 0 });
  });

  it('finds the item at a height', () => {
    const heights = new Heights();
    for (const item of items) heights.set(item, 20);
    assert.equal(heights.indexAt(items, 0), 0);
    assert.equal(heights.indexAt(items, 19), 0);
    assert.equal(heights.indexAt(items, 20), 1);
    assert.equal(heights.indexAt(items, 1e9), items.length - 1);
  });

  it('expects unmeasured items to be about as high as others', () => {
    const heights = new Heights();
    const [a, b, c] = ['a', 'b', 'c'].map((key): Item => ({ kind: 'day', key, at: start })) as [
      Item,
      Item,
      Item,
    ];
    assert.equal(heights.of(a), 40);
    heights.set(a, 10);
    heights.set(b, 30);
    heights.set(a, 20);
    assert.equal(heights.of(c), 25);
    assert.equal(heights.of({ kind: 'day', key: 'a', at: start }), 20);
  });
});

describe('coverage', () => {
  it('is complete once every part was on screen', () => {
    const coverage = new Coverage();
    coverage.add(0, 100);
    coverage.add(200, 300);
    assert.equal(coverage.covers(300), false);
    assert.equal(coverage.end, 100);
    coverage.add(90, 200);
    assert.equal(coverage.covers(300), true);
    assert.equal(coverage.end, 300);
    assert.equal(coverage.covers(310), false);
  });

  it('ignores what is not on screen at all', () => {
    const coverage = new Coverage();
    coverage.add(50, 20);
    assert.equal(coverage.covers(0.5), false);
    coverage.add(20, 50);
    assert.equal(coverage.end, 0);
  });
});

describe('the card', () => {
  it('stays as it is for the same actions, and starts over for others', () => {
    const first = cardFor([action('a', 'ls')], noCard);
    const seen = { ...first, seen: true, settled: true };
    assert.equal(first.changed, false);
    assert.equal(cardFor([action('a', 'ls')], seen), seen);
    const other = cardFor([action('a', 'rm -rf /')], seen);
    assert.deepEqual([other.seen, other.settled, other.changed], [false, false, true]);
    const next = cardFor([action('b', 'ls')], { ...seen, answered: true });
    assert.deepEqual([next.seen, next.changed, next.answered], [false, false, false]);
    assert.deepEqual(cardFor([], { ...seen, seenActions: ['mark'] }), { ...noCard, seenActions: ['mark'] });
  });

  it('marks an action by everything that is shown of it', () => {
    const one = action('a', 'ls');
    const others: Partial<PendingAction>[] = [
      { id: 'b' },
      { text: 'sl' },
      { risk: 'HIGH' },
      { raw: '{}' },
      { diff: [{ kind: 'added', text: '' }] },
      { thought: ' ' },
      { path: 'a' },
    ];
    const marks = [one, ...others.map((other) => ({ ...one, ...other }))].map(markOf);
    assert.equal(new Set(marks).size, marks.length);
    assert.equal(markOf(action('a', 'ls')), marks[0]);
    assert.ok(markOf(action('a', 'x'.repeat(300_000))).length < 50);
  });

  it('shows hidden characters as codes', () => {
    assert.equal(exposed('a\u202eb\u0000\u2028\u3164\ud800'), 'a‹U+202E›b‹U+0000›‹U+2028›‹U+3164›‹U+D800›');
    assert.equal(
      exposed('a\u{e0100}b\ufe0fc\u034f\u17b4\u2065'),
      'a‹U+E0100›b‹U+FE0F›c‹U+034F›‹U+17B4›‹U+2065›',
    );
    assert.equal(exposed('✔️ done, ❤️'), '✔️ done, ❤️');
    assert.equal(exposed('tabs\tand\nlines, ü 漢 👩‍💻'), 'tabs\tand\nlines, ü 漢 👩‍💻');
  });

  it('shows what isn’t a letter, digit, mark, or sign in use as codes', () =>
    everyCase(
      [
        ['a joiner between letters', 'rm a\u200db', 'rm a‹U+200D›b'],
        ['a non-joiner between letters', 'rm ä\u200cб', 'rm ä‹U+200C›б'],
        ['joiners at an end', '\u200ca\u200d', '‹U+200C›a‹U+200D›'],
        ['an empty Braille pattern', 'a\u2800b', 'a‹U+2800›b'],
        ['an object’s place', 'a\ufffcb', 'a‹U+FFFC›b'],
        ['an invisible note', 'a\u{1d159}b', 'a‹U+1D159›b'],
        ['an unassigned character', 'a\u0378b', 'a‹U+0378›b'],
        ['private characters', 'a\ue000\u{f0000}b', 'a‹U+E000›‹U+F0000›b'],
        ['a noncharacter', 'a\ufdd0b', 'a‹U+FDD0›b'],
      ] as const,
      ([name]) => name,
      ([, text, shown]) => {
        assert.equal(exposed(text), shown);
        assert.equal(exposedCode(text), shown);
      },
    ));

  it('shows joiners as they are where words and pictograms need them', () => {
    for (const text of ['می\u200cخواهم', 'क्\u200dष', '👩\u200d💻', '👩🏽\u200d🚀', '🏳️\u200d🌈'])
      assert.deepEqual([exposed(text), exposedCode(text)], [text, text]);
  });

  it('shows what could pass for another character of a command as codes', () =>
    everyCase(
      [
        ['a wide semicolon', 'ls；rm x', 'ls‹U+FF1B›rm x'],
        ['a wide bar', 'ls｜sh', 'ls‹U+FF5C›sh'],
        ['a wide ampersand', 'ls＆rm', 'ls‹U+FF06›rm'],
        ['wide letters', 'ｒm', '‹U+FF52›m'],
        ['small forms', 'ls﹔rm ﹠', 'ls‹U+FE54›rm ‹U+FE60›'],
        ['a Greek question mark', 'ls\u037erm', 'ls‹U+037E›rm'],
        ['a division slash', 'rm \u2215etc\u2044x', 'rm ‹U+2215›etc‹U+2044›x'],
        ['a click letter', 'ls ǀ sh', 'ls ‹U+01C0› sh'],
        ['a minus sign', 'rm −rf', 'rm ‹U+2212›rf'],
        ['unusual spaces', 'rm\u00a0x\u3000y\u2003z', 'rm‹U+00A0›x‹U+3000›y‹U+2003›z'],
        ['a mark that covers a letter', 'r\u0336m', 'r‹U+0336›m'],
        ['a mark on no letter', 'rm \u0301-x', 'rm ‹U+0301›-x'],
        ['wide punctuation of no word', 'a（b）：c', 'a‹U+FF08›b‹U+FF09›‹U+FF1A›c'],
        ['a semicolon for vertical text', 'ls︔rm', 'ls‹U+FE14›rm'],
        ['what looks like quotes', 'echo ʼ; rm ʹ', 'echo ‹U+02BC›; rm ‹U+02B9›'],
        ['a line of a table', 'curl x │ sh', 'curl x ‹U+2502› sh'],
        ['a stroke for a hyphen', 'rm 一rf', 'rm ‹U+4E00›rf'],
        ['a stroke for a bar', 'ls 丨 sh', 'ls ‹U+4E28› sh'],
        ['letters of mathematics and phonetics', '𝐫m ℝm ɡit', '‹U+1D42B›m ‹U+211D›m ‹U+0261›it'],
        ['a numeral for a letter', 'gitⅼab', 'git‹U+217C›ab'],
        ['joined letters', './ﬁx ǌx Ĳ', './‹U+FB01›x ‹U+01CC›x ‹U+0132›'],
        ['a long s', 'ſh x', '‹U+017F›h x'],
        ['two dots in one', 'rm ‥/x', 'rm ‹U+2025›/x'],
        [
          'what looks like colons and quotes',
          'aːb˸c ˮd᾽e‛',
          'a‹U+02D0›b‹U+02F8›c ‹U+02EE›d‹U+1FBD›e‹U+201B›',
        ],
        ['signs for vertical text', 'a︳b', 'a‹U+FE33›b'],
        ['a Cyrillic letter in a plain word', 'curl https://gіthub.com', 'curl https://g‹U+0456›thub.com'],
        ['a Greek letter in a plain word', 'Ρaypal', '‹U+03A1›aypal'],
        ['a word of Cyrillic twins in an address', 'сору.com', '‹U+0441›‹U+043E›‹U+0440›‹U+0443›.com'],
        ['a Cyrillic word of one letter', 'rm а /tmp/о', 'rm ‹U+0430› /tmp/‹U+043E›'],
        ['a letter or digit of another script', 'g\u0b66ogle.com \u2d4fs', 'g‹U+0B66›ogle.com ‹U+2D4F›s'],
        ['two of them', 'g\u05e1\u05e1gle \u{10330}\u{10331}t', 'g‹U+05E1›‹U+05E1›gle ‹U+10330›‹U+10331›t'],
        ['marks that cover other lines', `a${'\u0301'.repeat(5)}b`, `a${'\u0301'.repeat(4)}‹U+0301›b`],
        ['lines and brackets', 'rm ─rf ❮x y', 'rm ‹U+2500›rf ‹U+276E›x y'],
        ['a lone letter for an arrow', 'ls \u1433 a 1\u14382', 'ls ‹U+1433› a 1‹U+1438›2'],
        ['two lone letters for bars', 'ls \u0627\u0627 sh', 'ls ‹U+0627›‹U+0627› sh'],
        ['a lone digit for a dot', 'rm -rf \u0660/', 'rm -rf ‹U+0660›/'],
        ['other slashes', 'rm ⟋etc \u{1d23a}x ᜵y 〳z', 'rm ‹U+27CB›etc ‹U+1D23A›x ‹U+1735›y ‹U+3033›z'],
        ['other hyphens', 'rm ➖rf ˗x ᅳy', 'rm ‹U+2796›rf ‹U+02D7›x ‹U+1173›y'],
        ['other bars, colons, and ampersands', 'a ‖ b ᛬ c ꝸ d', 'a ‹U+2016› b ‹U+16EC› c ‹U+A778› d'],
        ['digits of a display', 'x 🯱 𜳱', 'x ‹U+1FBF1› ‹U+1CCF1›'],
        ['quotes of Hebrew in no word of it', 'echo ׳a״; rm ׳', 'echo ‹U+05F3›a‹U+05F4›; rm ‹U+05F3›'],
        ['ornamental brackets', 'a༼b༽', 'a‹U+0F3C›b‹U+0F3D›'],
        ['an odd letter beside a code', 'rmа\u200dа', 'rm‹U+0430›‹U+200D›‹U+0430›'],
      ] as const,
      ([name]) => name,
      ([, text, shown]) => assert.equal(exposedCode(text), shown),
    ));

  it('shows commands and paths in any language as they are', () => {
    for (const text of [
      'git commit -m "修复：错误（第一个），完成！" && ls | wc -l; echo $X `pwd` ~/*.ts [a] {b} <c >d #e',
      'rm -- "Größe é e\u0301.txt" ./日本語/カタカナ.md \u0939\u093f\u0928\u094d\u0926\u0940',
      'grep "צה״ל"',
      "grep 'ג׳ירפה'",
      'echo “a” – ‘b’ … € 5 × 3 ≠ → ✔️ 👍🏽',
      'git commit -m "版本 一" && echo 丨线',
      'git commit -m "с нами и о нём" файл.txt "Δx = 5 μm" kapı.txt',
      '\tline\nline',
      'git commit -m שלום',
      'git commit -m "เขา ก ไป"',
      'git commit -m "แก้bugแล้ว データAPI呼び出し"',
    ])
      assert.equal(exposedCode(text), text);
  });

  it('shows words from right to left, and numbers after them, in the order of the command', () => {
    assert.equal(exposedCode('cp א ב'), 'cp א\u200e ב');
    assert.equal(exposedCode('seq שלום; 10 b'), 'seq שלום\u200e; 10 b');
  });

  it('shows a path in one line, without two that look the same', () =>
    assert.equal(exposedPath('/w/a\n(new)\t'), '/w/a‹U+000A›(new)‹U+0009›'));

  it('takes no longer for a text the more of it passes for something else', () => {
    const started = process.cpuUsage().user;
    for (const text of ['а', 'aа ', 'ш', '\u05d0', '\u05d0 ', '漢一']) exposedCode(text.repeat(200_000));
    assert.ok(process.cpuUsage(undefined).user - started < 5_000_000);
  });
});
