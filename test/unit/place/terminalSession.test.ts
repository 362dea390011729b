import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import type { TerminalPlace } from '../../../src/features/place/model/terminalLine';
import { TerminalSession } from '../../../src/features/place/model/terminalSession';
import { TestSandbox } from '../changes/support';
import { eventually, quick } from './terminalSupport';

const nothingFor = (ms: number) =>
  new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
    quick.after(ms, () => resolve({ exitCode: 0, stdout: '', stderr: '' }));
  });
const enter = '\r';

describe('terminal of the editor in a sandbox', () => {
  let sandbox: TestSandbox;
  const sessions: Shown[] = [];
  beforeEach(() => {
    sandbox = new TestSandbox();
    sandbox.environmentFor({ SHELL: '/bin/sh', PS1: '$ ' });
  });
  afterEach(async () => {
    for (const one of sessions.splice(0)) await one.session.end();
    await eventually(
      () => !existsSync(sandbox.at('work/.agent-workspace')),
      () => 'a clean folder',
    );
    sandbox.dispose();
  });

  /** A terminal, as people see it. */
  class Shown {
    text = '';
    code: number | undefined;
    id: string | undefined;
    isAsleep = false;
    isFocused = true;
    keepsRunning = false;
    resumed = 0;
    isReachable = true;
    requests = 0;
    /** Whether requests wait for answers that never come. */
    hangs = false;
    /** Milliseconds until it sleeps. */
    sleepsAfter = 600_000;
    /** Milliseconds after which the sandbox reports that there was no output, instead of what there is. */
    reportsNothingAfter: number | undefined;
    reportedNothing = 0;
    readonly session: TerminalSession;

    constructor(id?: string) {
      this.session = new TerminalSession(
        {
          reach: () => this.reach(),
          clock: {
            now: quick.now,
            after: (ms, callback) => quick.after(ms < 600_000 ? ms : this.sleepsAfter, callback),
          },
          isAsleep: () => this.isAsleep,
          resume: () => {
            this.resumed += 1;
            this.isAsleep = false;
            return Promise.resolve();
          },
          isFocused: () => this.isFocused,
          keepsRunning: () => this.keepsRunning,
          describe: (error) => (error instanceof Error ? error.message : ''),
          changed: (next) => (this.id = next),
        },
        { write: (text) => (this.text += text), close: (code) => (this.code = code) },
        id,
      );
      sessions.push(this);
    }

    shows(text: string): Promise<void> {
      return eventually(
        () => this.text.includes(text),
        () => `${text} in ${JSON.stringify(this.text.slice(-400))}`,
      );
    }

    private reach(): Promise<TerminalPlace> {
      if (this.isAsleep) return Promise.reject(new Refusal('The sandbox is paused. Resume it first.'));
      const { terminal } = sandbox.workspace;
      const asked = <T>(work: () => Promise<T>): Promise<T> => {
        this.requests += 1;
        if (this.hangs) return new Promise(() => undefined);
        const isOut = this.isAsleep || !this.isReachable;
        return isOut ? Promise.reject(new ApiError('reset', 'POST', '/', { outcomeUnknown: true })) : work();
      };
      return Promise.resolve({
        workingDir: sandbox.at('work'),
        workspace: {
          terminal: {
            execute: (call) => asked(() => terminal.execute(call)),
            wait: (call) => {
              if (this.reportsNothingAfter === undefined) return asked(() => terminal.wait(call));
              const { reportsNothingAfter: ms } = this;
              return asked(() => nothingFor(ms)).finally(() => (this.reportedNothing += 1));
            },
            upload: (file, content) => asked(() => terminal.upload(file, content)),
            readFrom: (file, from) => asked(() => terminal.readFrom(file, from)),
          },
        },
      });
    }
  }

  const opened = async (id?: string, prepare?: (made: Shown) => void) => {
    const one = new Shown(id);
    prepare?.(one);
    one.session.open({ cols: 90, rows: 20 });
    await eventually(
      () => one.id !== undefined,
      () => one.text,
    );
    return one;
  };

  it('says once that the agent can see it, and closes with the code of its shell', async () => {
    const one = new Shown();
    one.session.open(undefined);
    one.session.type('echo ahe""ad; exit 3\r');
    await one.shows('ahead');
    assert.equal(one.text.match(/The agent can see/g)?.length, 1);
    await eventually(
      () => one.code === 3,
      () => one.text,
    );
    assert.equal(one.id, undefined);
  });

  it('shows the same shell after a reload, without that notice, and answers no old question', async () => {
    const one = await opened();
    one.session.type('kept=7; printf \'\\033[6n\\033[c\'; echo as""ked\r');
    await one.shows('asked');
    one.session.close();
    const again = await opened(one.id);
    again.session.type('echo "is $kept"\r');
    await again.shows('is 7');
    assert.ok(again.text.includes('asked'));
    assert.ok(!again.text.includes('The agent can see'));
    assert.ok(!again.text.includes('\x1b[6n') && !again.text.includes('\x1b[c'));
  });

  it('keeps programs from what the user copied, also when their output is shown again', async () => {
    const one = new Shown();
    one.session.open({ cols: 80, rows: 24 });
    await one.shows('The agent can see');
    one.session.type("printf 'a\\033]52;c;?\\007b%s\\n' c\r");
    await one.shows('bc');
    one.session.close();
    const other = new Shown(one.id);
    other.session.open({ cols: 80, rows: 24 });
    await other.shows('bc');
    for (const { text } of [one, other]) {
      assert.ok(!text.includes('\x1b]52'));
      assert.ok(text.includes('a\x1b]-c;?\x07bc'), JSON.stringify(text));
    }
  });

  it('answers questions of programs only in the window with the focus', async () => {
    const one = await opened();
    one.isFocused = false;
    one.session.type('\x1b[?1;2c');
    one.session.type('echo do""ne\r');
    await one.shows('done');
    assert.ok(!one.text.includes('1;2c'));
  });

  it('sleeps without requests when nothing happens, says so, and wakes with a key', async () => {
    const one = await opened();
    one.session.type('echo be""fore\r');
    await one.shows('before');
    // Else a request that waits for a minute would look like none. The echo ends the one that waits now.
    one.reportsNothingAfter = 1_000;
    one.session.type(' ');
    await eventually(
      () => one.reportedNothing > 0,
      () => one.text,
    );
    one.sleepsAfter = 3_000;
    one.session.type(' ');
    await one.shows('asleep');
    const asked = one.requests;
    await new Promise((resolve) => quick.after(10_000, () => resolve(undefined)));
    assert.equal(one.requests, asked);
    one.reportsNothingAfter = undefined;
    one.session.type('echo af""ter\r');
    await one.shows('after');
  });

  it('resumes a paused sandbox with Enter, and types nothing until then', async () => {
    const one = new Shown();
    one.isAsleep = true;
    one.session.open(undefined);
    await one.shows('The sandbox is paused. Press Enter to resume it.');
    one.session.type('zzz');
    assert.equal(one.resumed, 0);
    one.session.type(enter);
    await eventually(
      () => one.id !== undefined,
      () => one.text,
    );
    assert.equal(one.resumed, 1);
    one.session.type('echo "got $?"\r');
    await one.shows('got 0');
    assert.ok(!one.text.includes('zzz'));
  });

  it('continues with its shell after the sandbox was paused and resumed', async () => {
    const one = await opened();
    one.session.type('kept=9\r');
    await new Promise((resolve) => quick.after(10_000, () => resolve(undefined)));
    one.isAsleep = true;
    const { requests } = one;
    one.session.type('#\r');
    await one.shows('The sandbox is paused. Press Enter to resume it.');
    // Each may take long: the first that fails says enough.
    assert.ok(one.requests - requests <= 2, `${one.requests - requests}`);
    one.session.type(enter);
    await one.shows('The sandbox answers again.');
    one.session.type('echo "is $kept"\r');
    await one.shows('is 9');
  });

  it('says at once that the sandbox is known to be paused, whatever still waits for an answer', async () => {
    const one = await opened();
    one.session.type('kept=8\r');
    one.hangs = true;
    one.session.type('#\r');
    const { requests } = one;
    await eventually(
      () => one.requests > requests,
      () => 'a request',
    );
    one.isAsleep = true;
    one.session.giveUp();
    await one.shows('The sandbox is paused. Press Enter to resume it.');
    const asked = one.requests;
    await new Promise((resolve) => quick.after(30_000, () => resolve(undefined)));
    assert.equal(one.requests, asked);
    assert.equal(one.text.match(/is paused/g)?.length, 1);
    one.hangs = false;
    one.session.type(enter);
    await one.shows('The sandbox answers again.');
    one.session.type('echo "is $kept"\r');
    await one.shows('is 8');
  });

  it('keeps what is typed while the sandbox doesn’t answer', async () => {
    const one = await opened();
    one.isReachable = false;
    one.session.type('echo ty""ped\r');
    await one.shows('What you type is kept');
    one.isReachable = true;
    await one.shows('typed');
    assert.equal(one.text.match(/typed\r\n/g)?.length, 1);
  });

  it('says that its shell is gone, and opens another with Enter', async () => {
    const one = await opened();
    const first = one.id;
    const info = readFileSync(sandbox.at(`work/.agent-workspace/t/${first}/info`), 'utf8');
    process.kill((JSON.parse(info) as { pid: number }).pid, 'SIGKILL');
    await one.shows('This shell is gone');
    assert.equal(one.id, undefined);
    one.session.type(enter);
    await eventually(
      () => one.id !== undefined && one.id !== first,
      () => one.text,
    );
    one.session.type('echo ne""w\r');
    await one.shows('new');
  });

  it('leaves a shell that is kept running when it closes', async () => {
    const one = await opened(undefined, (made) => (made.keepsRunning = true));
    one.session.close();
    const again = await opened(one.id);
    again.session.type('exit\r');
    await eventually(
      () => again.code === 0,
      () => again.text,
    );
  });
});
