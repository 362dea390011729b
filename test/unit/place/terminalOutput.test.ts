import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { settled } from '../../support/settled';
import { ScriptedDesk, segment } from './terminalDesk';

const lost = () => new ApiError('reset', 'GET', '/', { outcomeUnknown: true });
const missing = () => new ApiError('notFound', 'GET', '/', { status: 404 });
const unauthorized = () => new ApiError('unauthorized', 'GET', '/', { status: 401 });
const nothing = () => Promise.resolve(new Uint8Array());
const minute = 60_000;

describe('output of a shell in a sandbox', () => {
  let of: ScriptedDesk;
  beforeEach(() => (of = new ScriptedDesk()));

  /** What the next reads answer, one after the other. */
  const reads = (...answers: (Uint8Array | string | Error)[]) => {
    of.read = () => {
      const next = answers.shift() ?? '';
      return next instanceof Error
        ? Promise.reject(next)
        : Promise.resolve(new Uint8Array(Buffer.from(next)));
    };
  };

  it('is looked for soon after a key, less often after that, and then waited for', async () => {
    const terminal = await of.open();
    await of.clock.pass(1_000);
    assert.deepEqual(of.readTimes(), [0, 8, 20, 50, 120, 300]);
    terminal.type(Buffer.from('a'));
    await of.clock.pass(1_000);
    assert.deepEqual(of.readTimes(), [1_008, 1_020, 1_050, 1_120, 1_300]);
    assert.deepEqual([of.waits, of.uploads], [[0], ['1000 0000000001 i 1\na.\n']]);
    await of.clock.pass(minute);
    assert.deepEqual(of.readTimes(), []);
  });

  it('is looked for again after some came, at once if there’s probably more, and later if nobody looks', async () => {
    const terminal = await of.open();
    await of.clock.pass(1_000);
    of.readTimes();
    for (const [size, times] of [
      [4_095, [0, 50, 250, 1_200]],
      [4_096, [0, 0, 50, 250, 1_200]],
    ] as const) {
      const now = of.clock.now();
      reads('x'.repeat(size));
      await of.tell({ stdout: '+\n' });
      await of.clock.pass(5_000);
      assert.deepEqual(
        of.readTimes().map((at) => at - now),
        times,
      );
    }
    terminal.watch(false);
    const now = of.clock.now();
    reads('x');
    await of.tell({ stdout: '+' });
    await of.clock.pass(5_000);
    assert.deepEqual(
      of.readTimes().map((at) => at - now),
      [0, 1_500],
    );
    await of.tell({ stdout: '' });
    await of.clock.pass(5_000);
    assert.deepEqual(of.readTimes(), []);
  });

  it('is read again later and later while the sandbox doesn’t answer, which is said once', async () => {
    await of.open();
    await of.clock.pass(1_000);
    of.readTimes();
    for (const from of [1_000, 31_000]) {
      of.said.length = 0;
      of.read = () => Promise.reject(lost());
      await of.tell({ stdout: '+' });
      await of.clock.pass(5_000);
      assert.deepEqual(
        of.readTimes().map((at) => at - from),
        [0, 250, 750, 1_750, 3_750],
      );
      assert.deepEqual(of.said, ['stalled']);
      await of.clock.pass(15_000);
      assert.deepEqual(
        of.readTimes().map((at) => at - from),
        [7_750, 12_750, 17_750],
      );
      of.read = nothing;
      await of.clock.pass(10_000);
      assert.equal(of.readTimes()[0]! - from, 22_750);
      assert.deepEqual(of.said, ['stalled', 'answers']);
    }
    assert.equal(of.end, undefined);
  });

  it('is missing until all that failed works again', async () => {
    const terminal = await of.open();
    await of.clock.pass(1_000);
    of.read = () => Promise.reject(lost());
    of.upload = () => Promise.reject(lost());
    terminal.type(Buffer.from('a'));
    await of.clock.pass(5_000);
    of.upload = () => Promise.resolve();
    await of.clock.pass(5_000);
    assert.deepEqual([of.said, of.uploads.length > 4], [['stalled'], true]);
    of.read = nothing;
    await of.clock.pass(5_000);
    assert.deepEqual(of.said, ['stalled', 'answers']);
    // Nothing is said of one that’s closed.
    of.read = () => Promise.reject(lost());
    await of.tell({ stdout: '+' });
    await of.clock.pass(1_000);
    terminal.detach();
    of.reads.length = 0;
    await of.clock.pass(minute);
    assert.deepEqual([of.said, of.reads], [['stalled', 'answers'], []]);
  });

  it('is waited for again later and later while the sandbox doesn’t answer', async () => {
    await of.open();
    await of.clock.pass(1_000);
    for (let n = 0; n < 5; n += 1) {
      await of.tell(lost());
      await of.clock.pass(10_000);
    }
    assert.deepEqual(of.waits, [0, 1_250, 11_500, 22_000, 33_000, 45_000]);
    await of.tell({ stdout: '' });
    await of.tell(lost());
    await of.clock.pass(10_000);
    assert.deepEqual(of.waits.slice(6), [51_000, 51_250]);
    // What a working shell never answers.
    await of.tell({ exitCode: 1 });
    await of.clock.pass(4_999);
    assert.equal(of.waits.length, 8);
    await of.clock.pass(1);
    assert.equal(of.waits.length, 9);
  });

  it('is looked for at once where the sandbox is by now, and seldom while it can’t be reached', async () => {
    await of.open();
    await of.clock.pass(1_000);
    of.readTimes();
    of.read = () => Promise.reject(lost());
    of.reach = () => new Refusal('It’s paused.');
    await of.tell({ stdout: '+' });
    await of.clock.pass(50_000);
    assert.deepEqual(of.readTimes(), [1_000, 1_250, 1_750, 2_750, 22_750, 42_750]);
    assert.deepEqual(of.said, ['stalled It’s paused.']);
    of.isAsleep = true;
    await of.clock.pass(100_000);
    assert.deepEqual(of.readTimes(), []);
  });

  it('ends without a key, but not where the sandbox has moved in the meantime, or can’t be reached', async () => {
    await of.open();
    await of.clock.pass(1_000);
    reads(unauthorized());
    of.reach = () => {
      of.move();
      return undefined;
    };
    await of.tell({ stdout: '+' });
    await of.clock.pass(1_000);
    assert.deepEqual([of.end, of.reached, of.said], [undefined, 1, ['stalled', 'answers']]);
    reads(unauthorized());
    of.reach = () => lost();
    await of.tell({ stdout: '+' });
    await of.clock.pass(1_000);
    assert.deepEqual([of.end, of.reached], [undefined, 2]);
    reads(unauthorized());
    of.reach = () => undefined;
    await of.tell({ stdout: '+' });
    assert.equal(of.end, 'noAccess');
    const other = (of = new ScriptedDesk());
    await other.open();
    reads(unauthorized());
    other.reach = () => unauthorized();
    await other.tell({ stdout: '+' });
    await other.clock.pass(100);
    assert.equal(other.end, 'noAccess');
  });

  it('isn’t read faster than an editor draws it', async () => {
    await of.open();
    await of.clock.pass(minute);
    of.readTimes();
    const mebibyte = Buffer.alloc(segment);
    reads(Buffer.alloc(16 * segment), mebibyte, mebibyte, mebibyte);
    await of.tell({ stdout: '+' });
    const start = of.clock.now();
    await of.clock.pass(390);
    const each = segment / 8_000;
    assert.deepEqual(
      of.readTimes().map((at) => at - start),
      [0, 0, each, 2 * each].map(Math.round),
    );
    await of.clock.pass(minute);
    of.readTimes();
    // It has drawn all of it by now.
    reads(Buffer.alloc(16 * segment), 'x');
    await of.tell({ stdout: '+' });
    assert.deepEqual(of.readTimes().length, 2);
  });

  it('is acknowledged after each megabyte, so that the program goes on', async () => {
    await of.open();
    await of.clock.pass(1_000);
    reads(Buffer.alloc(segment - 1), 'x', Buffer.alloc(segment - 1), 'yz');
    await of.tell({ stdout: '+' });
    await of.clock.pass(1_000);
    const acknowledged = of.uploads.map((one) => one.split(' ').slice(2).join(' '));
    assert.deepEqual(acknowledged, [`a ${segment}\n.\n`, `a ${2 * segment + 1}\n.\n`]);
    assert.deepEqual(
      of.reads.slice(6, 11).map((one) => one.split(' ')[1]),
      ['0+0', `0+${segment - 1}`, '1+0', `1+${segment - 1}`, '2+1'],
    );
  });

  it('is skipped as far as it’s gone, which is said, and only if there’s any', async () => {
    await of.open();
    await of.clock.pass(1_000);
    const listed: string[] = [];
    of.execute = (command) => {
      if (!command.startsWith('ls ')) return {};
      listed.push(command);
      return { stdout: '5\n3\nx4\n' };
    };
    of.read = (piece) => (piece < 3 ? Promise.reject(missing()) : Promise.resolve(new Uint8Array(0)));
    await of.tell({ stdout: '' });
    await of.clock.pass(1_000);
    assert.deepEqual([listed.length, of.said], [0, []]);
    of.reads.length = 0;
    await of.tell({ stdout: '+' });
    assert.deepEqual([listed.length, of.said], [1, ['skipped']]);
    assert.deepEqual(of.reads, ['2000 0+0', '2000 3+0']);
    await of.clock.pass(minute);
    assert.deepEqual([listed.length, of.said], [1, ['skipped']]);
  });

  it('is asked for by a look at the relay where it’s gone in the middle', async () => {
    await of.open();
    await of.clock.pass(1_000);
    reads('x', missing());
    of.execute = (command) => ({ exitCode: command.startsWith('[ -d') ? 9 : 0 });
    await of.tell({ stdout: '+' });
    await of.clock.pass(50);
    assert.deepEqual([of.shown, of.end], ['x', 'gone']);
    // What it left is removed once other windows know of it, too.
    await settled();
    assert.match(of.commands.at(-1) ?? '', /^\( sleep 3; /);
  });

  it('is read to its end before the shell’s exit code is told', async () => {
    await of.open();
    await of.clock.pass(1_000);
    reads('last', ' words');
    await of.tell({ stdout: '3\n' });
    assert.deepEqual([of.shown, of.end], ['last', undefined]);
    await of.clock.pass(300);
    assert.deepEqual([of.shown, of.end], ['last words', { exitCode: 3 }]);
    const { length } = of.reads;
    await of.clock.pass(10 * minute);
    assert.deepEqual([of.reads.length, of.waits.length], [length, 1]);
    // Its relay may have removed the rest, and itself, by then.
    of = new ScriptedDesk();
    await of.open();
    await of.clock.pass(1_000);
    reads('all', missing());
    of.execute = () => ({ exitCode: 9 });
    await of.tell({ stdout: '3' });
    await of.clock.pass(300);
    assert.deepEqual([of.shown, of.end], ['all', { exitCode: 3 }]);
  });

  it('isn’t shown anymore when it comes after the terminal was closed', async () => {
    const terminal = await of.open();
    await of.clock.pass(1_000);
    let answer: (bytes: Uint8Array) => void = () => undefined;
    of.read = () => new Promise((resolve) => (answer = resolve));
    await of.tell({ stdout: '+' });
    terminal.detach();
    answer(Buffer.from('late'));
    await of.clock.pass(minute);
    assert.deepEqual([of.shown, of.end, of.waits.length], ['', undefined, 1]);
  });

  it('is contacted each minute, however long output goes on', async () => {
    const terminal = await of.open();
    terminal.watch(false);
    reads(...Array<string>(1_000).fill('x'));
    await of.tell({ stdout: '+' });
    for (let n = 0; n < 20; n += 1) {
      await of.clock.pass(10_000);
      await of.tell({ stdout: '' });
    }
    assert.deepEqual(of.waits, [0, 60_000, 120_000, 180_000]);
  });

  it('is left alone while the terminal sleeps, and looked for when it wakes', async () => {
    const terminal = await of.open();
    await of.clock.pass(1_000);
    terminal.sleep();
    terminal.sleep();
    await of.clock.pass(1);
    await of.tell({ stdout: '+' });
    of.readTimes();
    await of.clock.pass(10 * minute);
    assert.deepEqual([of.readTimes(), of.waits], [[], [0]]);
    assert.deepEqual(of.uploads, ['1000 0000000001 g 86400\n.\n']);
    terminal.wake();
    await of.clock.pass(5_000);
    const now = 1_001 + 10 * minute;
    assert.deepEqual(
      of.readTimes().map((at) => at - now),
      [0, 8, 20, 50, 120, 250, 300, 1_200],
    );
    assert.deepEqual([of.waits, of.uploads.slice(1)], [[0, now], [`${now} 0000000002 g 600\n.\n`]]);
    // The rest of what an ended shell wrote is read all the same.
    terminal.sleep();
    reads('bye');
    await of.tell({ stdout: '0' });
    await of.clock.pass(300);
    assert.deepEqual([of.shown, of.end], ['bye', { exitCode: 0 }]);
  });
});
