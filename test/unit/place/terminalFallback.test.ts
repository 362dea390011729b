import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox } from '../changes/support';
import { typesOnce } from './terminalSequences';
import { cleaned, eventually, type Fate, goesOnInOthers, Window, written } from './terminalSupport';

/**
 * As `dd`, but as it takes the first input from a file, that file is uploaded again: it's empty for a moment, since
 * servers write in place.
 */
const uploadingAgain = `#!/bin/sh
folder=\${0%/*}
case " $* " in
  *" of="*) if mkdir "$folder/done" 2> /dev/null; then
    for file in .agent-workspace/t/*/k/*; do
      cp "$file" "$folder/copy"
      : > "$file"
      { sleep 0.5; cat "$folder/copy"; } >> "$file" 2> /dev/null < /dev/null &
    done
  fi ;;
esac
exec "$folder/../others/dd" "$@"
`;

/**
 * Links to all programs of this computer but Python, in one folder, and tmux, script, and a `dd` that meets a second
 * upload in folders of their own.
 */
function linkPrograms(folder: string): void {
  for (const name of ['others', 'tmux', 'script', 'again']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'again', 'dd'), uploadingAgain, { mode: 0o755 });
  for (const one of ['/usr/local/bin', '/usr/bin', '/bin'])
    for (const name of existsSync(one) ? readdirSync(one) : []) {
      const link = path.join(folder, /^(?:tmux|script)$/.test(name) ? name : 'others', name);
      if (!name.startsWith('python') && !existsSync(link)) symlinkSync(path.join(one, name), link);
    }
}

const cases = Number(process.env['TERMINAL_CASES'] ?? 1);

const has = (name: string) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`);

describe('terminal in a sandbox without Python', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let window: Window;
  const leftBehind = () =>
    execFileSync('ps', ['-eo', 'pid,args'])
      .toString()
      .split('\n')
      .filter((line) => line.includes(`.agent-workspace/t/${window.terminal?.id}`));
  const scratch = () => sandbox.at('work/.agent-workspace');
  const keys = { SESSION_API_KEY: 'canary', OH_SESSION_API_KEYS_0: 'canary', OH_SECRET_KEY: 'canary' };
  let programs: string;
  const create = (...names: string[]) => {
    const made = new TestSandbox();
    const PATH = [...names, 'others'].map((name) => path.join(programs, name)).join(':');
    made.environmentFor({ SHELL: '/bin/sh', PS1: '$ ', PATH, ...keys });
    return made;
  };
  const use = (...names: string[]) => {
    sandbox = create(...names);
    window = new Window(sandbox);
  };
  before(() => {
    programs = mkdtempSync(path.join(tmpdir(), 'agent-workspace-programs-'));
    linkPrograms(programs);
  });
  after(() => rmSync(programs, { recursive: true }));
  afterEach(() => sandbox.dispose());

  it('is refused without tmux and script, too', async () => {
    use();
    await assert.rejects(
      window.open(),
      (error) => error instanceof Refusal && error.message.includes('tmux'),
    );
  });

  for (const by of ['tmux', 'script'])
    describe(`with ${by}`, () => {
      beforeEach(function () {
        if (!has(by)) this.skip();
        // tmux is preferred.
        use(by, 'script');
      });
      afterEach(async () => {
        if (window.terminal && window.end === undefined) {
          window.terminal.hangUp();
          await window.ends();
        }
        await cleaned(sandbox);
        await eventually(
          () => leftBehind().length === 0,
          () => leftBehind().join('\n'),
        );
      });

      it('opens a shell in the agent’s folder without the server’s keys, and ends with its code', async () => {
        await window.open();
        window.type('pwd; tty; echo "$TERM"; env | grep -c "can""ary"; exit 7\r');
        await window.ends();
        assert.deepEqual(window.end, { exitCode: 7 });
        for (const text of [sandbox.at('work'), '/dev/pts/', 'xterm-256color', '\n0\r'])
          assert.ok(window.text.includes(text), `${text} in ${window.text}`);
      });

      it('stores nothing that is typed', async () => {
        await window.open();
        await window.typeSecret();
        assert.ok(!sandbox.commands.some((command) => command.includes('canary-typed')));
        const found = execFileSync('/bin/sh', [
          '-c',
          'grep -rl canary-typed-secret "$0" -D skip || :',
          sandbox.at('work'),
        ]);
        assert.equal(found.toString(), '');
      });

      it('resizes, interrupts, and tells whether something runs in front', async () => {
        const terminal = await window.open();
        window.type('set -m; stty size\r');
        await window.shows('24 80');
        terminal.resize({ cols: 120, rows: 40 });
        window.type('until [ "$(stty size)" = "40 120" ]; do sleep 0.1; done\r');
        window.type('echo id""le\r');
        await window.shows('idle');
        assert.equal(await terminal.isBusy(), false);
        window.type('sh -c \'echo be""gun; exec sleep 600\'\r');
        await window.shows('begun');
        assert.equal(await terminal.isBusy(), true);
        window.type('\u0003');
        window.type('echo "code $?"\r');
        await window.shows('code 130');
      });

      it('pastes 1 MB exactly, and shows 3 MB to the last byte', async () => {
        await window.open();
        const pasted = 'é😀 paste.\n'.repeat(60_000);
        window.type(
          `stty raw -echo; echo re""ady; head -c ${Buffer.byteLength(pasted)} > pasted; echo do""ne; stty sane -echo\r`,
        );
        await window.shows('ready');
        window.type(pasted);
        await window.shows('done');
        assert.ok(written(sandbox.at('work/pasted')) === pasted);
        window.type('head -c 3000000 /dev/zero | tr "\\0" z; echo; echo la""st\r');
        await window.shows('last');
        assert.equal(window.skips, 0);
        assert.equal(window.text.split('z').length - 1, 3_000_000);
      });

      it('types everything once, whatever happens to the requests', async () => {
        window.fates = ['unanswered', 'twice', 'lost'];
        await window.open();
        window.type('stty raw -echo; echo re""ady; exec cat > typed\r');
        await window.shows('ready');
        const fates: Fate[] = ['lost', 'unanswered', 'twice', 'fine', 'unanswered', 'lost'];
        let typed = '';
        for (let n = 0; n < 30; n += 1) {
          window.fates.push(fates[n % 6]!);
          typed += `${n};`;
          window.type(`${n};`);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await eventually(
          () => written(sandbox.at('work/typed')).length >= typed.length,
          () =>
            `${written(sandbox.at('work/typed'))} ${JSON.stringify([window.end, window.stalls, window.fates])}`,
        );
        assert.equal(written(sandbox.at('work/typed')), typed);
      });

      it('types everything once if it arrives again while it is read', async () => {
        sandbox.dispose();
        rmSync(path.join(programs, 'again', 'done'), { recursive: true, force: true });
        use('again', by, 'script');
        await window.open();
        window.type('echo once >> typed; exit 3\r');
        await window.ends();
        assert.deepEqual(window.end, { exitCode: 3 });
        assert.equal(written(sandbox.at('work/typed')), 'once\n');
        assert.ok(existsSync(path.join(programs, 'again', 'done')));
      });

      it('continues in a window that was reloaded, and in a second one', async () => {
        const [again] = await goesOnInOthers(window, sandbox);
        window.end = again?.end;
      });

      it('ends a shell and a program that ignore the hang-up', async () => {
        await window.open();
        window.type('trap "" HUP; echo re""ady; sleep 600\r');
        await window.shows('ready');
        window.terminal?.hangUp();
        await window.ends();
        assert.ok(window.end && typeof window.end === 'object');
      });

      it('says that its relay is gone, and clears away what it left', async () => {
        const { id } = await window.open();
        window.type('sh -c \'echo be""gun; exec sleep 600\'\r');
        await window.shows('begun');
        const { pid } = JSON.parse(readFileSync(`${scratch()}/t/${id}/info`, 'utf8')) as { pid: number };
        process.kill(pid, 'SIGKILL');
        await window.ends();
        assert.equal(window.end, 'gone');
      });

      it(`types everything once, whatever happens (${cases} sequences)`, async function () {
        this.timeout(Math.max(60_000, cases * 20_000));
        await typesOnce(() => create(by, 'script'), cases);
      });
    });
});
