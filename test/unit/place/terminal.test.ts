import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../../src/core/basics/refusal';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';
import { typesOnce } from './terminalSequences';
import { cleaned, eventually, type Fate, goesOnInOthers, Window, written } from './terminalSupport';

const cases = Number(process.env['TERMINAL_CASES'] ?? 4);

describe('terminal in a sandbox', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let window: Window;
  const create = () => {
    const made = new TestSandbox();
    made.environmentFor({ SHELL: '/bin/sh', PS1: '$ ' });
    return made;
  };
  beforeEach(() => {
    sandbox = create();
    window = new Window(sandbox);
  });
  afterEach(async () => {
    window.terminal?.hangUp();
    await cleaned(sandbox);
    sandbox.dispose();
  });

  const scratch = () => sandbox.at('work/.agent-workspace');

  it('says what keeps it from opening on a full disk', async function () {
    if (!existsSync('/dev/full')) this.skip();
    mkdirSync(scratch());
    symlinkSync('/dev/full', path.join(scratch(), '.gitignore'));
    await assert.rejects(window.open(), /couldn’t open a terminal: .*No space left on device$/);
  });

  it('opens a shell in the agent’s folder, and ends with its exit code', async () => {
    await window.open();
    window.type('pwd; tty; echo "$TERM"; exit 7\r');
    await window.ends();
    assert.deepEqual(window.end, { exitCode: 7 });
    for (const text of [sandbox.at('work'), '/dev/pts/', 'xterm-256color'])
      assert.ok(window.text.includes(text));
  });

  it('hides its files from git and from others, and leaves nothing behind', async () => {
    await window.open();
    assert.equal(statSync(scratch()).mode & 0o777, 0o700);
    assert.equal(readFileSync(sandbox.at('work/.agent-workspace/.gitignore'), 'utf8'), '*\n');
    window.terminal?.hangUp();
    await window.ends();
    await cleaned(sandbox);
    assert.deepEqual(readdirSync(sandbox.folder).toSorted(), ['tmp', 'work']);
    for (const folder of ['tmp', 'work']) assert.deepEqual(readdirSync(sandbox.at(folder)), []);
  });

  it('stores nothing that is typed', async () => {
    await window.open();
    await window.typeSecret();
    assert.ok(!sandbox.commands.some((command) => command.includes('canary')));
    const found = execFileSync('/bin/sh', ['-c', 'grep -rl canary-typed-secret "$0" || :', sandbox.folder]);
    assert.equal(found.toString(), '');
  });

  it('takes the server’s keys out of the shell’s environment', async () => {
    const keys = { SESSION_API_KEY: 'canary', OH_SESSION_API_KEYS_0: 'canary', OH_SECRET_KEY: 'canary' };
    sandbox.environmentFor({ SHELL: '/bin/sh', ...keys });
    await window.open();
    window.type('env | grep -c "can""ary"; echo en""d\r');
    await window.shows('\nend');
    assert.match(window.text, /\n0\r/);
  });

  it('resizes, interrupts, and tells whether something runs in front', async () => {
    const terminal = await window.open();
    window.type('set -m; stty size\r');
    await window.shows('24 80');
    terminal.resize({ cols: 120, rows: 40 });
    window.type('stty size; echo id""le\r');
    await window.shows('40 120');
    // The shell itself says this, when no program runs in front anymore.
    await window.shows('idle');
    assert.equal(await terminal.isBusy(), false);
    window.type('echo be""gun; sleep 600\r');
    await window.shows('begun');
    await eventually(
      () => execFileSync('ps', ['-eo', 'args']).toString().includes('sleep 600'),
      () => 'sleep',
    );
    assert.equal(await terminal.isBusy(), true);
    window.type('\u0003');
    window.type('echo "code $?"\r');
    await window.shows('code 130');
  });

  it('shows 10 MB to the last byte, and output beyond UTF-8’s bounds between two pieces', async () => {
    await window.open();
    window.type(
      'stty -echo; i=0; while [ $i -lt 5 ]; do i=$((i+1)); head -c 2000001 /dev/zero | tr "\\\\0" é; done; echo; echo la""st\r',
    );
    await window.shows('last');
    assert.equal(window.skips, 0);
    assert.ok(window.text.length > 10_000_000);
  });

  it('shows what its shell said last, however far behind the window is', async () => {
    const { terminal } = sandbox.workspace;
    const readFrom = terminal.readFrom.bind(terminal);
    const { id } = await window.open();
    window.type('stty -echo; echo re""ady\r');
    await window.shows('ready');
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    terminal.readFrom = async (file, offset) => {
      await held;
      return readFrom(file, offset);
    };
    window.type('head -c 4195000 /dev/zero | tr "\\0" z; sleep 0.5; echo la""st; exit 4\r');
    await eventually(
      () => existsSync(`${scratch()}/t/${id}/exit`),
      () => 'its exit code',
    );
    goOn();
    await window.ends();
    assert.deepEqual([window.end, window.skips], [{ exitCode: 4 }, 0]);
    assert.ok(window.text.includes('last'), window.text.slice(-100));
  });

  it('pastes 1 MB exactly', async () => {
    await window.open();
    const pasted = 'é😀 paste.\n'.repeat(60_000);
    window.type(
      `stty raw -echo; echo re""ady; head -c ${Buffer.byteLength(pasted)} > pasted; echo do""ne; stty sane\r`,
    );
    await window.shows('ready');
    window.type(pasted);
    await window.shows('done');
    assert.ok(written(sandbox.at('work/pasted')) === pasted);
  });

  it('pastes 1 MB exactly and once, even if the sandbox is paused in between', async () => {
    await window.open();
    const pasted = 'é😀 paste.\n'.repeat(60_000);
    window.type('stty raw -echo; echo re""ady; exec cat > pasted\r');
    await window.shows('ready');
    const file = sandbox.at('work/pasted');
    window.type(pasted.slice(0, 300_000));
    await eventually(
      () => written(file) !== '',
      () => 'a beginning',
    );
    window.isPaused = true;
    window.type(pasted.slice(300_000));
    await eventually(
      () => window.stalls.length > 0,
      () => 'a word of the pause',
    );
    window.isPaused = false;
    await eventually(
      () => written(file).length >= pasted.length,
      () => `the end, not ${written(file).length}`,
    );
    assert.ok(written(file) === pasted);
    assert.equal(window.stalls[0], 'The sandbox is paused.');
  });

  it('continues at another address of its sandbox, and with another key', async () => {
    await window.open();
    for (let n = 0; n < 3; n += 1) {
      // What is typed, looked for, and waited for all fails at once.
      window.type(`echo be""fore${n}\r`);
      window.renew();
      window.type(`echo af""ter${n}\r`);
      await window.shows(`after${n}`);
    }
    assert.equal(window.end, undefined);
  });

  it('says once that a server refuses what is typed, and once that it doesn’t anymore', async () => {
    await window.open();
    window.type('while sleep 0.05 && echo; do :; done & echo re""ady\r');
    await window.shows('ready');
    window.isRefusing = true;
    window.type('echo ty""ped\r');
    await eventually(
      () => window.stalls.length > 0,
      () => 'a word of it',
    );
    const { length } = window.text;
    await eventually(
      () => window.text.length > length + 40,
      () => 'more output',
    );
    assert.deepEqual(window.stalls, ['']);
    window.isRefusing = false;
    await window.shows('typed');
    assert.deepEqual(window.stalls, ['', null]);
  });

  it('continues in a window that was reloaded, and in a second one', async () => {
    const [again] = await goesOnInOthers(window, sandbox);
    assert.equal(await new Window(sandbox).attach(again!.terminal!.id), undefined);
  });

  it('attaches to nothing that isn’t a terminal’s name', async () => {
    for (const id of ['..', '', 'x', "'; touch gone; '"]) assert.equal(await window.attach(id), undefined);
    assert.deepEqual(sandbox.commands, []);
  });

  it('says that the sandbox was restarted, and types nothing into what is left', async () => {
    const terminal = await window.open();
    const { pid } = JSON.parse(
      readFileSync(sandbox.at(`work/.agent-workspace/t/${terminal.id}/info`), 'utf8'),
    ) as {
      pid: number;
    };
    process.kill(pid, 'SIGKILL');
    window.isCut = true;
    window.type('canary');
    await window.ends();
    assert.equal(window.end, 'gone');
    await eventually(
      () => !existsSync(sandbox.at('work/.agent-workspace/t')),
      () => 'a clean folder',
    );
    const next = new Window(sandbox);
    await next.open();
    next.terminal?.hangUp();
    await next.ends();
  });

  it('leaves nothing of a relay that is gone when its terminal is closed, nor of one that never came', async () => {
    const terminal = await window.open();
    const { pid } = JSON.parse(readFileSync(`${scratch()}/t/${terminal.id}/info`, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    // The signal takes its time.
    await eventually(
      () => written(`/proc/${pid}/cmdline`) === '',
      () => 'the end of the relay',
    );
    terminal.detach();
    await cleaned(sandbox);
    window = new Window(sandbox);
    // Its program arrives, and then no answer comes anymore.
    window.fates = ['fine', 'fine', ...Array<Fate>(5).fill('lost')];
    await assert.rejects(window.open());
    await cleaned(sandbox);
  });

  it('removes no file that a window is reading, which would stop the server for seconds', async () => {
    const { terminal } = sandbox.workspace;
    const readFrom = terminal.readFrom.bind(terminal);
    const vanished: string[] = [];
    let isSlow = false;
    terminal.readFrom = async (file, offset) => {
      const wasThere = existsSync(file);
      if (isSlow) await delay(1_500);
      if (wasThere && !existsSync(file)) vanished.push(file);
      return readFrom(file, offset);
    };
    for (const end of ['close', 'kill']) {
      const windows = [new Window(sandbox), new Window(sandbox)];
      const [one, other] = windows;
      const { id } = await one!.open();
      await other!.attach(id);
      one!.type('echo re""ady\r');
      for (const each of windows) await each.shows('ready');
      isSlow = true;
      if (end === 'close') await Promise.all(windows.map(async (each) => each.terminal?.end()));
      else {
        const { pid } = JSON.parse(readFileSync(`${scratch()}/t/${id}/info`, 'utf8')) as { pid: number };
        process.kill(pid, 'SIGKILL');
        for (const each of windows) each.type('x');
        for (const each of windows) await each.ends();
      }
      await cleaned(sandbox);
      isSlow = false;
    }
    assert.deepEqual(vanished, []);
  });

  it('opens even while the last other terminal removes the folder', async () => {
    const [once, again] = [sandbox.at('once'), sandbox.at('again')];
    const removing = `rm -rf .agent-workspace; if [ -e ${once} ]; then : > ${again}; fi; : > ${once}`;
    sandbox.write('bin/mkdir', `#!/bin/sh\n/bin/mkdir "$@"; [ -e ${again} ] || { ${removing}; }\n`);
    chmodSync(sandbox.at('bin/mkdir'), 0o755);
    const path = `${sandbox.at('bin')}:${process.env['PATH']}`;
    sandbox.environmentFor({ SHELL: '/bin/sh', PS1: '$ ', PATH: path });
    await window.open();
    assert.ok(existsSync(again));
    window.type('exit 4\r');
    await window.ends();
    assert.deepEqual(window.end, { exitCode: 4 });
  });

  it('runs its scripts with BusyBox, too', async function () {
    const others = otherShells();
    const shell = others.shells.get('BusyBox') ?? this.skip();
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)']).toString().trim();
    writeFileSync(`${shell.path}/python3`, `#!/bin/sh\nexec ${python} "$@"\n`, { mode: 0o755 });
    sandbox.dispose();
    sandbox = new TestSandbox(shell);
    sandbox.environmentFor({ SHELL: '/bin/sh', PATH: shell.path });
    window = new Window(sandbox);
    const { id } = await window.open();
    window.type('kept=3; echo fir""st\r');
    await window.shows('first');
    assert.equal(await window.terminal?.isBusy(), false);
    window.terminal?.detach();
    await window.attach(id);
    window.type('echo "is $kept"; exit\r');
    await window.shows('is 3');
    await window.ends();
    await cleaned(sandbox);
    others.dispose();
  });

  it('refuses a scratch folder that is a link, and a sandbox without Python', async () => {
    symlinkSync('/tmp', scratch());
    const refuses = () => assert.rejects(window.open(), (error) => error instanceof Refusal);
    await refuses();
    execFileSync('rm', [scratch()]);
    const none = new TestSandbox({ path: sandbox.at('tmp') });
    await assert.rejects(new Window(none).open(), (error) => error instanceof Refusal);
    none.dispose();
  });

  it(`types everything once and leaves nothing behind, whatever happens (${cases} sequences)`, async function () {
    this.timeout(Math.max(90_000, cases * 10_000));
    await typesOnce(create, cases);
  });
});
