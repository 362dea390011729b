import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { seeded } from '../changes/seeded';
import { cleaned, eventually, type Fate, type ShellSandbox, Window, written } from './terminalSupport';

/** A number in signs that only one window has, so that what several windows type can be told apart. */
const numberBy = (window: number, n: number) =>
  Array.from(`${n};`)
    .map((sign) => String.fromCodePoint(firstSign + window * 12 + sign.charCodeAt(0) - 48))
    .join('');
const isBy = (window: number, sign: string) =>
  Math.floor(((sign.codePointAt(0) ?? 0) - firstSign) / 12) === window;
const firstSign = 0xe0;

/** How all that a first window typed begins. */
export const firstTyped = numberBy(0, 1) + numberBy(0, 2);

const fates = fc.array(fc.constantFrom<Fate>('fine', 'fine', 'lost', 'unanswered', 'twice'), {
  maxLength: 8,
});
const step = fc.record({
  what: fc.constantFrom(
    ...(['type', 'type', 'type', 'paste', 'resize', 'reload', 'second', 'sleep'] as const),
    ...(['pause', 'pause', 'resume', 'kill'] as const),
  ),
  at: fc.nat({ max: 3 }),
  fates,
});

interface Typing {
  window: Window;
  at: number;
  count: number;
  typed: string;
  isGone: boolean;
}

/**
 * Tries random sequences of what happens to terminals: all is typed once, in order, and nothing is stored or left.
 * @param create makes a sandbox of its own for those that run one after the other
 * @param lanes that run side by side: most of their time goes by while they wait for processes
 */
export async function typesOnce(create: () => ShellSandbox, numRuns: number, lanes = 4): Promise<void> {
  const { seed = 0 } = seeded('TERMINAL_SEED', {});
  const counts = Array.from({ length: lanes }, (_, lane) => Math.floor((numRuns + lane) / lanes));
  await Promise.all(
    counts.map(async (count, lane) => {
      if (count === 0) return;
      const sandbox = create();
      const sequence = fc.array(step, { maxLength: 14 });
      const property = fc.asyncProperty(sequence, fates, (steps, opening) =>
        typesOnceIn(sandbox, steps, opening),
      );
      await fc.assert(property, { seed: seed + lane, numRuns: count });
      // What a killed relay left is removed with the next terminal.
      const next = new Window(sandbox);
      await next.open();
      next.terminal?.hangUp();
      await next.ends();
      await cleaned(sandbox);
      sandbox.dispose();
    }),
  );
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function typesOnceIn(sandbox: ShellSandbox, steps: Step[], opening: Fate[]): Promise<void> {
  const work = sandbox.at('work/typed');
  execFileSync('rm', ['-f', work]);
  const before = sandbox.commands.length;
  const first = new Window(sandbox);
  first.fates = opening.slice(0, 3);
  const { id } = await first.open();
  const folder = sandbox.at(`work/.agent-workspace/t/${id}`);
  const { pid } = JSON.parse(readFileSync(`${folder}/info`, 'utf8')) as { pid: number };
  const windows: Typing[] = [{ window: first, at: 0, count: 0, typed: '', isGone: false }];
  first.type('stty raw -echo; echo re""ady; exec cat > typed\r');
  await eventually(
    () => first.text.includes('ready'),
    () => first.text,
  );
  const type = (one: Typing, count: number) => {
    let text = '';
    for (let n = 0; n < count; n += 1) text += numberBy(one.at, (one.count += 1));
    one.typed += text;
    one.window.type(text);
  };
  const add = async () => {
    const window = new Window(sandbox);
    await window.attach(id);
    windows.push({ window, at: windows.length, count: 0, typed: '', isGone: false });
  };
  /** All processes of a paused sandbox stand still, and its server can’t be reached. */
  const pause = (next: boolean) => {
    if (next === first.isPaused) return;
    process.kill(pid, next ? 'SIGSTOP' : 'SIGCONT');
    for (const { window } of windows) window.isPaused = next;
  };
  let isKilled = false;
  for (const { what, at, fates: next } of steps) {
    const open = windows.filter(({ isGone }) => !isGone);
    const one = open[at % open.length]!;
    if (isKilled) break;
    one.window.fates.push(...next);
    if (what === 'type') type(one, 1);
    if (what === 'paste') type(one, 20_000);
    if (what === 'resize') one.window.terminal?.resize({ cols: 60 + at, rows: 20 });
    if (what === 'sleep') one.window.terminal?.sleep();
    if (what === 'second' && windows.length < 6 && !first.isPaused) await add();
    if (what === 'reload' && windows.length < 6 && !first.isPaused) {
      await add();
      one.isGone = true;
      one.window.terminal?.detach();
    }
    if (what === 'pause' || what === 'resume') pause(what === 'pause');
    if (what === 'kill') {
      isKilled = true;
      process.kill(pid, 'SIGKILL');
    }
  }
  if (isKilled) for (const { window } of windows) window.isPaused = false;
  else pause(false);
  const arrived = (at: number) =>
    Array.from(written(work))
      .filter((one) => isBy(at, one))
      .join('');
  const open = windows.filter(({ isGone }) => !isGone);
  for (const { window } of open) window.terminal?.wake();
  if (!isKilled)
    for (const { at, typed } of open)
      await eventually(
        () => arrived(at).length >= typed.length,
        () => `${typed.length} of ${at}: ${arrived(at).length}`,
      );
  if (!isKilled) open[0]!.window.terminal?.hangUp();
  else
    for (const { window } of open) {
      window.isCut = true;
      window.type(numberBy(5, 1));
    }
  for (const { window } of open)
    await eventually(
      () => window.end !== undefined,
      () => 'the end',
    );
  for (const { at, typed, isGone } of windows) {
    const text = arrived(at);
    assert.ok(typed.startsWith(text), `${at} typed something twice, or out of order`);
    if (!isGone && !isKilled) assert.equal(text.length, typed.length);
  }
  assert.ok(!sandbox.commands.slice(before).some((command) => /[à-ɓ]/.test(command)));
  await eventually(
    () => !existsSync(folder),
    () => `the end of ${folder}`,
  );
}
