import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { runningShells, SandboxTerminal } from '../../../src/features/place/model/terminal';
import { terminalExits } from '../../../src/features/place/model/terminalScripts';
import { settled } from '../../support/settled';
import { info, ScriptedDesk } from './terminalDesk';

const lost = () => new ApiError('reset', 'POST', '/', { outcomeUnknown: true });
const size = { cols: 80, rows: 24 };
const bytes = (text: string) => new TextEncoder().encode(text);
const relays = [terminalExits.noRelay, terminalExits.noShellRelay];

describe('what is typed into a shell in a sandbox', () => {
  let of: ScriptedDesk;
  beforeEach(() => (of = new ScriptedDesk()));
  const typed = () => of.uploads.map((one) => one.slice(one.indexOf(' ') + 1));

  it('is sent together if it’s of the same moment, and one after the other if not', async () => {
    const terminal = await of.open();
    let arrive: () => void = () => undefined;
    of.upload = () => new Promise((resolve) => (arrive = resolve));
    terminal.type(bytes('é'));
    terminal.type(bytes('b'));
    terminal.resize({ cols: 90, rows: 30 });
    await settled();
    terminal.type(bytes('c'));
    terminal.hangUp();
    await settled();
    assert.deepEqual(typed(), ['0000000001 i 2\néi 1\nbr 90 30\n.\n']);
    arrive();
    await settled();
    assert.deepEqual(typed().slice(1), ['0000000002 i 1\ncq\n.\n']);
  });

  it('is cut into requests of 64 KiB', async () => {
    const terminal = await of.open();
    const whole = Array.from({ length: 20_000 }, (_, n) => n).join(' ');
    terminal.type(bytes(whole.slice(0, 65_536)));
    await settled();
    assert.deepEqual(typed(), [`0000000001 i 65536\n${whole.slice(0, 65_536)}.\n`]);
    terminal.type(bytes(whole.slice(0, 100_000)));
    await settled();
    assert.deepEqual(typed().slice(1), [
      `0000000002 i 65536\n${whole.slice(0, 65_536)}.\n`,
      `0000000003 i ${100_000 - 65_536}\n${whole.slice(65_536, 100_000)}.\n`,
    ]);
  });

  it('is sent again, as it was, later and later until it arrives, as long as the relay is there', async () => {
    const terminal = await of.open();
    of.upload = () => Promise.reject(lost());
    terminal.type(bytes('a'));
    await of.clock.pass(4_000);
    terminal.type(bytes('b'));
    await settled();
    assert.deepEqual(
      of.uploads,
      [0, 250, 750, 1_750, 3_750].map((at) => `${at} 0000000001 i 1\na.\n`),
    );
    assert.deepEqual(of.said, ['stalled']);
    assert.equal(of.commands.length, 4);
    of.upload = () => Promise.resolve();
    terminal.hurry();
    await settled();
    assert.deepEqual(of.uploads.slice(5), ['4000 0000000001 i 1\na.\n', '4000 0000000002 i 1\nb.\n']);
    assert.deepEqual(of.said, ['stalled', 'answers']);
    of.upload = () => Promise.reject(lost());
    of.execute = () => ({ exitCode: terminalExits.gone });
    terminal.type(bytes('c'));
    await of.clock.pass(1_000);
    assert.deepEqual([of.end, of.uploads.length], ['gone', 8]);
    terminal.type(bytes('d'));
    await of.clock.pass(60_000);
    assert.equal(of.uploads.length, 8);
  });

  it('isn’t sent to a sandbox that is known to be paused, and waits for no answer of one', async () => {
    const terminal = await of.open();
    of.upload = () => new Promise(() => undefined);
    terminal.type(bytes('a'));
    await settled();
    of.isAsleep = true;
    of.reach = () => new Refusal('It’s paused.');
    terminal.giveUp();
    await settled();
    assert.deepEqual(of.said, ['stalled It’s paused.']);
    await of.clock.pass(100_000);
    assert.deepEqual([of.uploads.length, of.said], [1, ['stalled It’s paused.']]);
    of.isAsleep = false;
    of.reach = () => undefined;
    of.upload = () => Promise.resolve();
    terminal.hurry();
    await settled();
    assert.deepEqual([of.uploads.length, of.said.at(-1)], [2, 'answers']);
  });

  it('is followed by the end of the shell, for which nobody waits long', async () => {
    const terminal = await of.open();
    let isOver = false;
    of.upload = () => new Promise(() => undefined);
    const ending = terminal.end().then(() => (isOver = true));
    await of.clock.pass(29_999);
    assert.deepEqual([isOver, typed()], [false, ['0000000001 q\n.\n']]);
    await of.clock.pass(1);
    await ending;
    const other = (of = new ScriptedDesk());
    await (await other.open()).end();
    await of.clock.pass(10 * 60_000);
    const { length } = other.reads;
    assert.deepEqual([typed(), other.end], [['0000000001 q\n.\n'], undefined]);
    // The relay is told that this window leaves, once.
    assert.equal(other.commands.filter((one) => one.includes('.bye')).length, 1);
    assert.ok(length < 7, `${length}`);
  });
});

describe('a shell in a sandbox', () => {
  let of: ScriptedDesk;
  beforeEach(() => (of = new ScriptedDesk()));
  const open = () => SandboxTerminal.open(of.desk, size);
  const removals = () => of.commands.filter((one) => one.includes('rm -rf') && !one.includes('umask')).length;

  it('is opened with the relay that the sandbox lacks, which is uploaded a few times at most', async () => {
    const exits = [terminalExits.noShellRelay, terminalExits.noRelay];
    of.execute = () => ({ exitCode: exits.pop() ?? 0, stdout: JSON.stringify(info) });
    await open();
    assert.deepEqual(
      of.uploads.map((one) => one.slice(0, one.indexOf('\n')).slice(2, 25)),
      ['py #!/usr/bin/env pytho', 'sh # relay.sh DIR COLS '],
    );
    for (const exitCode of relays) {
      of = new ScriptedDesk();
      of.execute = () => ({ exitCode });
      await assert.rejects(open(), Refusal);
      await settled();
      assert.deepEqual([of.uploads.length, of.commands.length, removals()], [3, 5, 1]);
    }
  });

  it('has its files in the agent’s folder, also if that is the root, by the names that its relay gives', async () => {
    for (const [workingDir, folder] of [
      ['/work', '/work/.agent-workspace/t/ID'],
      ['/', '/.agent-workspace/t/ID'],
    ] as const) {
      of = new ScriptedDesk(workingDir);
      const exits = [terminalExits.noRelay];
      of.execute = () => ({ exitCode: exits.pop() ?? 0, stdout: JSON.stringify({ ...info, digits: 6 }) });
      const terminal = await open();
      terminal.type(bytes('a'));
      await settled();
      assert.deepEqual([...of.files], [`${folder}.py`, `${folder}/o/000000`, `${folder}/k/ID.0000000001`]);
    }
  });

  it('isn’t opened for a reason that is said, and leaves nothing then', async () => {
    const couldNot = 'The sandbox couldn’t open a terminal';
    for (const [answer, words] of [
      [{ exitCode: 1, stderr: 'one\ntwo\n' }, `${couldNot}: two`],
      [{ exitCode: 1 }, `${couldNot}. Check that its folder can be written to.`],
      [
        { exitCode: 1, stdout: JSON.stringify(info) },
        `${couldNot}. Check that its folder can be written to.`,
      ],
      [{ exitCode: 10 }, 'This sandbox has none of Python, tmux, and script. A terminal needs one of them.'],
      ...['', '{', '{"pid": 1}', '{"pid": 1, "child": 2, "segment": 0}', '[]'].map(
        (stdout) => [{ stdout }, `${couldNot}. Check that its folder can be written to.`] as const,
      ),
    ] as const) {
      of = new ScriptedDesk();
      of.execute = () => answer;
      await assert.rejects(open(), (error) => error instanceof Refusal && error.message === words, words);
      await settled();
      assert.equal(removals(), 1);
    }
  });

  it('is asked for again a few times if the answer is lost, and not if it’s refused', async () => {
    const times: number[] = [];
    const failing = (error: ApiError) => {
      of = new ScriptedDesk();
      times.length = 0;
      of.execute = (command) => {
        if (command.includes('umask')) times.push(of.clock.now());
        return Promise.reject(error);
      };
    };
    failing(lost());
    const opening = assert.rejects(open(), lost());
    await of.clock.pass(60_000);
    await opening;
    assert.deepEqual(times, [0, 250, 750, 1_750, 3_750]);
    for (const error of [
      new ApiError('unauthorized', 'POST', '/', { outcomeUnknown: true }),
      new ApiError('refused', 'POST', '/'),
    ]) {
      failing(error);
      await assert.rejects(open(), error);
      assert.deepEqual(times, [0]);
    }
  });

  it('continues from the oldest output that is kept, and draws again', async () => {
    const id = '0123456789ab';
    of.execute = () => ({ stdout: `${JSON.stringify(info)}\n5\n2\n1\n` });
    of.read = (piece, offset) =>
      Promise.resolve(piece === 1 ? Buffer.from('oldernew'.slice(offset, offset < 5 ? 5 : 8)) : Buffer.of());
    const terminal = await SandboxTerminal.attach(of.desk, id, size);
    assert.ok(terminal);
    await of.clock.pass(100);
    assert.deepEqual([of.said, of.again, of.shown], [['skipped'], 'older', 'new']);
    assert.match(of.uploads[0] ?? '', / r 81 24\nr 80 24\n\.\n$/);
    assert.equal(of.reads[0], '0 1+0');
    // Nothing was left out of one whose first output is kept.
    const other = (of = new ScriptedDesk());
    other.execute = () => ({ stdout: `${JSON.stringify({ ...info, by: 'tmux' })}\n0\n` });
    const attached = await SandboxTerminal.attach(other.desk, id, size);
    assert.deepEqual([attached?.answersThere, terminal.answersThere, other.said], [true, false, []]);
    for (const gone of [{ exitCode: 9 }, { exitCode: 9, stdout: JSON.stringify(info) }, { stdout: 'x' }]) {
      other.execute = () => gone;
      assert.equal(await SandboxTerminal.attach(other.desk, id, size), undefined);
    }
    for (const odd of ['0123456789abc', 'x0123456789ab', '0123456789aB', '0123456789ab\n']) {
      of.commands.length = 0;
      assert.equal(await SandboxTerminal.attach(of.desk, odd, size), undefined);
      assert.deepEqual(of.commands, []);
    }
  });

  it('tells whether a program runs in front, and which shells there are', async () => {
    const terminal = await of.open();
    for (const [stdout, isBusy] of [
      ['busy\n', true],
      ['', false],
      ['busybox\n', false],
    ] as const) {
      of.execute = () => ({ stdout });
      assert.equal(await terminal.isBusy(), isBusy);
    }
    of.execute = () => ({ stdout: '0123456789ab busy\n0123456789ac \n..  busy\n\n' });
    assert.deepEqual(await runningShells(await of.desk.reach()), [
      { id: '0123456789ab', isBusy: true },
      { id: '0123456789ac', isBusy: false },
    ]);
  });

  it('lives as long as it’s told, and no less when it has slept', async () => {
    const terminal = await of.open();
    terminal.live(100_000.4);
    terminal.sleep();
    await settled();
    terminal.wake();
    terminal.wake();
    await settled();
    assert.deepEqual(
      of.uploads.map((one) => one.slice(13)),
      ['g 100000\ng 100000\n.\n', 'g 100000\n.\n'],
    );
  });
});
