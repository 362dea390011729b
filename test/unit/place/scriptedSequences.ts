import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FakeClock } from '../api/support/clock';
import { ScriptedSandbox } from './scriptedRelay';
import { type Fate, fates, ScriptedWindow } from './scriptedWindow';

const minute = 60_000;
const steps = [
  ...([
    'type',
    'type',
    'type',
    'type',
    'paste',
    'resize',
    'print',
    'second',
    'reload',
    'enter',
    'enter',
  ] as const),
  ...([
    'pass',
    'pass',
    'pass',
    'look',
    'pause',
    'resume',
    'renew',
    'exit',
    'kill',
    'restart',
    'wipe',
  ] as const),
  ...(['keep', 'end'] as const),
];
const step = fc.record({
  what: fc.constantFrom(...steps),
  at: fc.nat({ max: 5 }),
  ms: fc.constantFrom(0, 1, 8, 30, 400, 3_000, 20_000, 70_000, 11 * minute, 26 * 60 * minute),
  size: fc.constantFrom(1, 100, 5_000, 70_000, 1_500_000),
  fates: fc.array(fc.constantFrom('fine', ...fates), { maxLength: 8 }),
});

/**
 * Random sequences of what happens to terminals in windows, their requests, and their sandbox. Each lacks kinds of it, so that
 * others show what they do by themselves.
 */
export const sequences = fc.record({
  segment: fc.constantFrom(4_096, 4_096, 4_096, 1024 * 1024),
  steps: fc.array(step, { maxLength: 25 }),
  without: fc.subarray([...new Set(steps)]),
  fates: fc.subarray([...fates]),
  lastFates: fc.array(fc.constantFrom('lost', 'unanswered', 'twice', 'slow'), { maxLength: 3 }),
  last: fc.constantFrom('end', 'exit', 'leave', 'kill'),
});
type Sequence = typeof sequences extends fc.Arbitrary<infer T> ? T : never;

/** All that was typed arrives once and in order, all output is shown once, and nothing is stored or left. */
export async function staysWhole(sequence: Sequence): Promise<void> {
  const { segment, last, lastFates } = sequence;
  const steps = sequence.steps.filter(({ what }) => !sequence.without.includes(what));
  const isUsed = (fate: Fate) => fate === 'fine' || sequence.fates.includes(fate);
  const clock = new FakeClock();
  const sandbox = new ScriptedSandbox(clock, segment);
  const windows: ScriptedWindow[] = [];
  const open = () => windows.filter(({ isOver }) => !isOver);
  const add = (id?: string) => {
    const window = new ScriptedWindow(sandbox, windows.length, id);
    windows.push(window);
    return window;
  };
  const relays = () => [...sandbox.relays.values()].filter(({ isAlive }) => isAlive);
  const pass = async (ms: number) => {
    await clock.pass(ms);
    const watched = open().filter(({ id = '', isOffering }) => sandbox.expired.includes(id) && !isOffering);
    if (!isLong) assert.deepEqual(watched, [], 'a shell ended in an open window');
  };
  // Asleep in an open window, a shell lives for a day.
  const isLong = steps.some(({ what, ms }) => what === 'pass' && ms > 24 * 60 * minute);
  add();
  for (const { what, at, ms, size, fates } of steps) {
    const one = open()[at % Math.max(1, open().length)];
    const relay = relays()[at % Math.max(1, relays().length)];
    one?.fates.push(...fates.filter(isUsed));
    if (what === 'type') one?.type(1);
    if (what === 'paste') one?.type(Math.min(size, 100_000) / 10);
    if (what === 'resize') one?.session.resize({ cols: 60 + at, rows: 20 });
    if (what === 'print') relay?.print(size);
    if (what === 'look') one?.session.watch(at > 2);
    if (what === 'enter') one?.enter();
    if (what === 'pass') await pass(ms);
    if (what === 'renew') one?.renew();
    if (what === 'keep' && one) one.keepsRunning = true;
    if (what === 'pause' || what === 'resume') sandbox.pause(what === 'pause');
    if (what === 'exit') relay?.exit(at);
    if (what === 'kill') relay?.kill();
    if (what === 'restart') for (const each of relays()) each.kill();
    if (what === 'wipe') {
      sandbox.remove('');
      sandbox.after(1, () => relays().forEach((each) => each.look()));
    }
    if (what === 'end') one?.end();
    // Nobody can attach to a terminal before the window that opens it knows of it.
    const known = relay && sandbox.shells.has(relay.id) ? relay.id : undefined;
    if (what === 'second' && windows.length < 8) add(at > 2 ? known : undefined);
    if (what === 'reload' && one && windows.length < 8) {
      const { id } = one;
      one.leave();
      add(id);
    }
    if (at % 2 === 0) await pass(ms % 500);
  }
  sandbox.pause(false);
  for (let tries = 0; tries < 3; tries += 1) {
    for (const one of open()) {
      one.fates.length = 0;
      one.enter();
      // Who looks wakes a terminal that sleeps.
      one.session.watch(true);
    }
    await clock.pass(2 * minute);
  }
  for (const one of open()) {
    assert.ok(
      one.id !== undefined && sandbox.relays.get(one.id)?.isAlive,
      `no shell: ${one.said.join(' | ')}`,
    );
    assert.equal(one.arrived(one.id).length, one.parts.get(one.id)?.typed.length, 'something typed is lost');
    one.checkShown(true);
  }
  for (const one of open()) {
    if (one.isOver) continue;
    one.fates.push(...lastFates);
    if (last === 'end') one.end();
    else if (last === 'leave') one.leave();
    else if (last === 'exit') sandbox.relays.get(one.id!)?.exit(0);
    else sandbox.relays.get(one.id!)?.kill();
  }
  await clock.pass(2 * minute);
  for (const one of windows) {
    if (last === 'exit' && !one.isOver) assert.fail(`still open: ${one.said.join(' | ')}`);
    for (const [id, { typed }] of one.parts)
      assert.ok(typed.startsWith(one.arrived(id)), `typed ${typed.length} twice, or out of order`);
    one.checkShown(false);
    assert.ok(!one.said.some((word) => word.includes('accept its key')), 'lost its key');
    one.leave();
  }
  // The longest that a shell is kept without a window.
  await clock.pass(8 * 24 * 60 * minute);
  assert.ok(
    windows.every(({ lateRequests }) => lateRequests === 0),
    'requests without a terminal',
  );
  const mayBeLeft =
    steps.some(({ what }) => ['kill', 'restart', 'wipe'].includes(what)) ||
    isUsed('late') ||
    isUsed('refused');
  if (!mayBeLeft) assert.deepEqual([...sandbox.files.keys()], [], 'left behind');
  // What came late to a terminal that had ended, or was left by one that nobody had, is removed with the next one.
  const next = add();
  await clock.pass(minute);
  next.end();
  await clock.pass(2 * minute);
  assert.deepEqual([...sandbox.files.keys()], [], 'left behind after the next');
  assert.ok(!sandbox.commands.some((command) => /[à-ɓ]/.test(command)), 'stored');
}
