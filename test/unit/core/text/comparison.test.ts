import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Comparison } from '../../../../src/core/text/comparison';
import type { Hunk } from '../../../../src/core/text/hunk';

interface Compared {
  hunks: Hunk[];
  /** In how many steps they were found. */
  steps: number;
  /** How many pairs of lines were compared for that. */
  pairs: number;
}

function compared(old: readonly string[], now: readonly string[]): Compared {
  let pairs = 0;
  const equal = (a: string, b: string) => {
    pairs += 1;
    return a === b;
  };
  const steps = new Comparison(old, now, equal).hunks();
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done === true) return { hunks: value, steps: count, pairs };
  }
}

/** Lines that repeat, and so many of them replaced and added: nothing to hold on to. */
function repetitive(edits: number): [old: string[], now: string[]] {
  const [line, place] = [fc.constantFrom('a', 'b'), fc.nat(999)];
  const some = <T>(one: fc.Arbitrary<T>, count: number, seed: number) =>
    fc.sample(fc.array(one, { minLength: count, maxLength: count, size: 'max' }), { seed, numRuns: 1 })[0]!;
  const old = some(line, 1_000, 1);
  const now = [...old];
  for (const [at, by] of some(fc.tuple(place, line), edits, 2)) now.splice(at, 1, by, 'a');
  return [old, now];
}

/** The later text, made from the earlier one and the differences; they never touch. */
function applied(old: readonly string[], hunks: readonly Hunk[]): string[] {
  const made: string[] = [];
  let from = -1;
  for (const { start, end, lines } of hunks) {
    assert.ok(start > from || (start === 0 && from === -1), 'in order, and apart');
    assert.ok(end > start || lines.length > 0, 'never empty');
    made.push(...old.slice(Math.max(from, 0), start), ...lines);
    from = end;
  }
  return [...made, ...old.slice(Math.max(from, 0))];
}

const numbered = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => name(at));
const lost = (old: readonly string[], hunks: readonly Hunk[]) =>
  hunks.flatMap(({ start, end }) => old.slice(start, end));

describe('the comparison of two texts', () => {
  it('finds all that differs, in short and long texts, whatever they have in common', () => {
    const short = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    const pairs = fc.oneof(
      fc.tuple(short, short),
      // Too different to be compared exactly, with lines in common that only one of them has once.
      fc
        .tuple(fc.integer({ min: 2, max: 40 }), fc.nat(7), fc.nat(2), fc.integer({ min: 600, max: 900 }))
        .map(([every, shift, repeats, count]) => {
          const common = (at: number) => at % every === 0;
          const old = numbered(count, (at) => (common(at) ? `common ${at}` : `old ${at}`));
          const now = numbered(count, (at) => (common(at) ? `common ${at}` : `new ${at}`));
          const again = numbered(repeats, () => `common ${every}`);
          return [
            [...numbered(shift, () => 'same'), ...old, ...again],
            [...now, 'same', ...again],
          ] as const;
        }),
    );
    fc.assert(
      fc.property(pairs, ([old, now]) => {
        assert.deepEqual(applied(old, compared(old, now).hunks), now);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the lines that both have once, in the same order, where all else differs', () => {
    const [old, now] = (['old', 'new'] as const).map((side) =>
      numbered(2_000, (at) => (at % 4 === 0 ? `common ${at}` : `${side} ${at}`)),
    ) as [string[], string[]];
    const { hunks } = compared(old, now);
    assert.deepEqual(
      lost(old, hunks),
      old.filter((line) => line.startsWith('old')),
    );
    // One that has moved up stands for no more than itself.
    const moved = [now.at(-4)!, ...now.slice(0, -4), ...now.slice(-3)];
    const kept = new Set(old.filter((line) => line.startsWith('common')));
    for (const line of lost(old, compared(old, moved).hunks)) kept.delete(line);
    assert.equal(kept.size, 499);
  });

  it('keeps a line that has moved to the very beginning, and all that follows it', () => {
    const before = numbered(700, (at) => `old ${at}`);
    const after = numbered(700, (at) => `new ${at}`);
    const { hunks } = compared([...before, 'kept'], ['kept', ...after]);
    assert.deepEqual(lost([...before, 'kept'], hunks), before);
  });

  it('compares no line where a single one differs between equal ends', () => {
    const lines = numbered(5_000, (at) => `line ${at}`);
    for (const at of [0, 1, 2_500, 4_999]) {
      const { hunks, pairs, steps } = compared(lines, lines.with(at, 'another'));
      assert.deepEqual(hunks, [{ start: at, end: at + 1, lines: ['another'] }]);
      assert.deepEqual([pairs, steps], [0, 1], `line ${at}`);
    }
    const more = numbered(3_000, (at) => `more ${at}`);
    for (const at of [0, 2_500, 5_000]) {
      const longer = lines.toSpliced(at, 0, ...more);
      const [added, removed] = [compared(lines, longer), compared(longer, lines)];
      assert.deepEqual(added.hunks, [{ start: at, end: at, lines: more }]);
      assert.deepEqual(removed.hunks, [{ start: at, end: at + 3_000, lines: [] }]);
      for (const { pairs, steps } of [added, removed]) assert.deepEqual([pairs, steps], [0, 1], `from ${at}`);
    }
  });

  it('fails as the comparison of two lines does', () => {
    const fails = () => {
      throw new Error('Not comparable.');
    };
    assert.throws(() => new Comparison(['a', 'b'], ['c', 'd', 'e'], fails).hunks().next(), /Not comparable/);
  });

  it('compares so many lines that it ends soon, whatever they are', () => {
    const few = compared(...repetitive(50));
    assert.deepEqual([few.steps, few.hunks.length > 25], [1, true], 'few differences at once');
    const some = compared(...repetitive(140));
    assert.ok(some.steps > 1 && some.hunks.length > 70, 'some in further steps');
    assert.equal(compared(...repetitive(400)).hunks.length, 1, 'very many as one');
    const held = fc.array(fc.constantFrom('a', 'b'), { minLength: 3_000, maxLength: 3_000, size: 'max' });
    fc.assert(
      fc.property(held, held, (...sides) => {
        const [old, now] = sides.map((side) =>
          side.map((line, at) => (at % 300 === 0 ? `common ${at}` : line)),
        ) as [string[], string[]];
        const { hunks, pairs } = compared(old, now);
        assert.deepEqual(applied(old, hunks), now);
        assert.ok(hunks.length > 10, 'the first parts are found exactly');
        assert.ok(pairs <= 60_000 + 2 * 6_000, `${pairs} pairs`);
      }),
      { numRuns: 5 },
    );
  });

  it('takes steps that are short however long the texts are', () => {
    const [old, now] = (['old', 'new'] as const).map((side) =>
      numbered(100_000, (at) => `${side} ${at}`),
    ) as [string[], string[]];
    const { hunks, steps } = compared(old, now);
    assert.deepEqual([hunks.length, hunks[0]?.end], [1, 100_000]);
    assert.ok(steps >= 10, `${steps} steps`);
    assert.ok(steps < 100, `${steps} steps`);
    assert.equal(compared(old, old).steps, 1);
  });
});
