import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { TerminalSession } from '../../../src/features/place/model/terminalSession';
import { settled } from '../../support/settled';
import { info, ScriptedDesk } from './terminalDesk';

const minute = 60_000;
const enter = '\r';
const lost = () => new ApiError('reset', 'POST', '/', { outcomeUnknown: true });

/** A terminal of the editor in a scripted sandbox. */
class Shown {
  readonly of = new ScriptedDesk();
  text = '';
  code: number | undefined;
  readonly ids: (string | undefined)[] = [];
  resume: () => Promise<unknown> = () => Promise.resolve((this.of.isAsleep = false));
  isFocused = true;
  keepsRunning = false;
  readonly session: TerminalSession;

  constructor(id?: string) {
    const { reach, clock } = this.of.desk;
    this.of.execute = () => ({ stdout: `${JSON.stringify(info)}\n` });
    const needs = {
      ...{ reach, clock },
      isAsleep: () => this.of.isAsleep,
      resume: () => this.resume(),
      isFocused: () => this.isFocused,
      keepsRunning: () => this.keepsRunning,
      describe: (error: unknown) => `Described: ${error instanceof ApiError ? error.reason : ''}.`,
      changed: (next: string | undefined) => void this.ids.push(next),
    };
    const screen = {
      write: (text: string) => void (this.text += text),
      close: (code: number) => void (this.code = code),
    };
    this.session = new TerminalSession(needs, screen, id);
  }

  async open(): Promise<this> {
    this.session.open({ cols: 90, rows: 20 });
    await settled();
    return this;
  }

  /** What it has said since it was asked last. */
  said(): string[] {
    const found = [...this.text.matchAll(/\r\n\x1b\[2m([^\x1b]*)\x1b\[0m\r\n/g)].map(
      ([, words = '']) => words,
    );
    this.text = '';
    return found;
  }

  /** What was typed into its shells since it was asked last. */
  sent(): string[] {
    return this.of.uploads.splice(0).map((one) => one.slice(one.indexOf(' ', one.indexOf(' ') + 1) + 1));
  }
}

const asleep = 'This terminal is asleep, so that the sandbox can pause. Press any key to continue.';

describe('what a terminal says', () => {
  it('is that it sleeps after ten minutes without a key or output, unless a program runs in front', async () => {
    const one = await new Shown().open();
    one.said();
    one.of.execute = () => ({ stdout: 'busy' });
    await one.of.clock.pass(9 * minute);
    one.session.type('a');
    await one.of.clock.pass(10 * minute - 1);
    one.of.read = (_piece, offset) => Promise.resolve(Buffer.from('x'.slice(offset)));
    await one.of.tell({ stdout: '+' });
    assert.equal(one.of.commands.length, 1);
    await one.of.clock.pass(10 * minute);
    assert.deepEqual([one.said(), one.of.commands.length], [[], 2]);
    one.of.execute = () => ({ stdout: '' });
    await one.of.clock.pass(10 * minute - 1);
    assert.deepEqual(one.said(), []);
    await one.of.clock.pass(1);
    assert.deepEqual(one.said(), [asleep]);
    one.sent();
    // Output that was on its way doesn’t wake it, but who looks does.
    one.session.watch(false);
    await one.of.clock.pass(60 * minute);
    assert.deepEqual([one.said(), one.sent()], [[], []]);
    one.session.watch(true);
    await settled();
    assert.deepEqual(one.sent(), ['g 600\n.\n']);
    await one.of.clock.pass(10 * minute);
    assert.deepEqual(one.said(), [asleep]);
    one.session.watch(true);
    one.session.close();
    await one.of.clock.pass(60 * minute);
    assert.deepEqual(one.said(), []);
  });

  it('isn’t that it sleeps where it has ended, or can’t be reached, while that was asked', async () => {
    const one = await new Shown().open();
    let answer: (of: { stdout: string }) => void = () => undefined;
    one.of.execute = () => new Promise((resolve) => (answer = resolve));
    await one.of.clock.pass(10 * minute);
    one.session.close();
    one.said();
    answer({ stdout: '' });
    await one.of.clock.pass(minute);
    assert.deepEqual(one.said(), []);
  });

  it('is why it couldn’t be opened, and that Enter tries again, in which order ever', async () => {
    const one = new Shown();
    const { execute } = one.of;
    one.of.execute = () => ({ exitCode: 1, stderr: 'no space' });
    await one.open();
    assert.deepEqual(one.said(), [
      'The sandbox couldn’t open a terminal: no space Press Enter to try again.',
    ]);
    one.of.execute = () => Promise.reject(new ApiError('unauthorized', 'POST', '/'));
    one.session.type('echo\r');
    await settled();
    assert.deepEqual(one.said(), ['Described: unauthorized. Press Enter to try again.']);
    one.of.execute = execute;
    one.session.type('x');
    await settled();
    assert.deepEqual(one.said(), []);
    one.session.type('\n');
    one.session.type('typed');
    await settled();
    await settled();
    assert.match(one.said().join(), /^The agent can see what happens/);
    assert.equal(one.ids.length, 1);
    assert.deepEqual(one.sent().slice(-1), ['r 90 20\ni 5\ntyped.\n']);
  });

  it('is that the sandbox is paused, and why it couldn’t be resumed', async () => {
    const one = new Shown();
    one.of.isAsleep = true;
    one.of.reach = () => (one.of.isAsleep ? new Refusal('Not now.') : undefined);
    await one.open();
    const paused = 'The sandbox is paused. Press Enter to resume it.';
    assert.deepEqual(one.said(), [paused]);
    one.resume = () => Promise.reject(new Refusal('Nobody agreed.'));
    one.session.type(enter);
    one.session.type(enter);
    await settled();
    assert.deepEqual(one.said(), ['Resuming the sandbox…', 'Nobody agreed. Press Enter to resume it.']);
    one.resume = () => Promise.reject(lost());
    one.session.type(enter);
    await settled();
    assert.deepEqual(one.said().slice(1), ['Described: reset. Press Enter to resume it.']);
    one.resume = () => Promise.resolve((one.of.isAsleep = false));
    one.session.type(enter);
    await settled();
    assert.equal(one.ids.length, 1);
  });

  it('is that the sandbox doesn’t answer, and answers again, or why it can’t be reached', async () => {
    const one = await new Shown().open();
    await one.of.clock.pass(1_000);
    one.said();
    one.of.upload = () => Promise.reject(lost());
    one.of.execute = () => Promise.reject(lost());
    one.session.type('a');
    await one.of.clock.pass(5_000);
    assert.deepEqual(one.said(), ['The sandbox doesn’t answer. What you type is kept until it does.']);
    one.of.upload = () => Promise.resolve();
    await one.of.clock.pass(5_000);
    assert.deepEqual(one.said(), ['The sandbox answers again.']);
    one.of.upload = () => Promise.reject(lost());
    one.of.reach = () => new Refusal('It’s starting.');
    one.session.type('b');
    await one.of.clock.pass(5_000);
    assert.deepEqual(one.said(), ['It’s starting. Press Enter to try again.']);
    const { length } = one.of.uploads;
    one.of.upload = () => Promise.resolve();
    one.session.type('c');
    one.session.type(enter);
    await settled();
    assert.deepEqual(one.said(), ['The sandbox answers again.']);
    assert.equal(one.of.uploads.length, length + 1);
    // Enter is typed again.
    one.sent();
    one.session.type(enter);
    await settled();
    assert.deepEqual(one.sent(), ['i 1\n\r.\n']);
  });

  it('is that the shell is gone, or its key, and its exit code', async () => {
    const gone = 'This shell is gone: the sandbox was restarted, or the shell ended.';
    const one = await new Shown('0123456789ab').open();
    assert.deepEqual([one.said(), one.ids.length], [[], 1]);
    await one.of.tell({ exitCode: 9 });
    assert.deepEqual(one.said(), [`${gone} Press Enter to open a new one.`]);
    one.session.type(enter);
    await settled();
    assert.match(one.said().join(), /^The agent can see/);
    assert.deepEqual(
      one.ids.map((id) => id?.length),
      [12, undefined, 12],
    );
    one.of.upload = () => Promise.reject(new ApiError('unauthorized', 'POST', '/'));
    one.session.type('a');
    await settled();
    assert.deepEqual(one.said(), ['The sandbox doesn’t accept its key anymore. Press Enter to try again.']);
    one.of.upload = () => Promise.resolve();
    one.session.type(enter);
    await settled();
    assert.deepEqual(one.ids.at(-1), one.ids[2], 'the same shell');
    await one.of.clock.pass(1_000);
    await one.of.tell({ stdout: '4' });
    await one.of.tell({ stdout: '4' });
    await one.of.clock.pass(1_000);
    assert.deepEqual([one.code, one.ids.at(-1)], [4, undefined]);
    const other = new Shown('0123456789ab');
    other.of.execute = () => ({ exitCode: 9 });
    other.session.open(undefined);
    other.session.type('rm x\r');
    await settled();
    assert.deepEqual(other.said(), [`${gone} Press Enter to open a new one.`]);
    assert.deepEqual(other.ids, [undefined]);
    // What was typed was meant for that shell.
    other.of.execute = () => ({ stdout: JSON.stringify(info) });
    other.session.type(enter);
    await settled();
    await settled();
    assert.deepEqual(other.sent(), ['r 80 24\n.\n']);
  });

  it('is nothing once it’s closed, which ends a new shell that still opens, and leaves others', async () => {
    for (const [id, isEnded] of [
      [undefined, true],
      ['0123456789ab', false],
    ] as const) {
      const one = new Shown(id);
      one.session.open(undefined);
      one.session.close();
      await settled();
      await settled();
      assert.deepEqual([one.text, one.ids], ['', []]);
      assert.equal(
        one.sent().some((sent) => sent.includes('q\n')),
        isEnded,
      );
    }
    const failing = new Shown();
    failing.of.execute = () => ({ exitCode: 1 });
    failing.session.open(undefined);
    await failing.session.end();
    await settled();
    assert.equal(failing.text, '');
  });

  it('is nothing of resizing to the same size, nor of answers that only a terminal gives without focus', async () => {
    const one = await new Shown().open();
    await settled();
    one.sent();
    one.session.resize({ cols: 90, rows: 20 });
    one.isFocused = false;
    one.session.type('\x1b[1;1R');
    await settled();
    assert.deepEqual(one.sent(), []);
    one.session.resize({ cols: 91, rows: 20 });
    one.session.resize({ cols: 91, rows: 21 });
    one.session.type('a');
    one.isFocused = true;
    one.session.type('\x1b[1;1R');
    await settled();
    assert.deepEqual(one.sent(), ['r 91 20\nr 91 21\ni 1\nai 6\n\x1b[1;1R.\n']);
    const tmux = new Shown();
    tmux.of.execute = () => ({ stdout: JSON.stringify({ ...info, by: 'tmux' }) });
    await tmux.open();
    await settled();
    tmux.sent();
    tmux.session.type('\x1b[1;1R');
    await settled();
    assert.deepEqual(tmux.sent(), []);
    const kept = new Shown();
    kept.keepsRunning = true;
    await kept.open();
    await settled();
    assert.deepEqual(kept.sent().slice(-1), ['g 604800\nr 90 20\n.\n']);
  });

  it('is that output was left out, and no old question, but new ones, also if both come at once', async () => {
    for (const first of [9, 16]) {
      const one = new Shown('0123456789ab');
      one.of.execute = () => ({ stdout: `${JSON.stringify(info)}\n9\n1\n` });
      one.of.read = (_piece, offset) =>
        Promise.resolve(Buffer.from('old\x1b[6n$ new\x1b[6n'.slice(offset, offset < first ? first : 16)));
      await one.open();
      await one.of.clock.pass(2_000);
      assert.equal(one.text, '\r\n\x1b[2m… Some output was left out.\x1b[0m\r\nold$ new\x1b[6n');
    }
  });
});
