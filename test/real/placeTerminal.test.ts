import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/api/http/clock';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { isThisComputer } from '../../src/features/place/model/here';
import { SandboxTerminal } from '../../src/features/place/model/terminal';
import type { TerminalEnd, TerminalPlace } from '../../src/features/place/model/terminalLine';
import { LiveConversation } from '../../src/features/live/model/liveConversation';
import { conversationPorts } from '../support/builders/ports';
import { firstTyped, typesOnce } from '../unit/place/terminalSequences';
import { eventually } from '../unit/place/terminalSupport';
import { startBesideOthers, startOnServer, useModel, workFile, writingStep } from './support/conversations';
import { withSandboxes } from './support/releases';
import { real, realClient, realSuite } from './support/suite';

/** Random sequences of what happens to terminals. */
const cases = Number(process.env['TERMINAL_CASES'] ?? 2);

/**
 * For samples, in milliseconds. A request waits for output up to 55 s: that the next one follows is seen with one release,
 * since a minute is long.
 */
const [quietMs, sampleMs] = [real().release.version === 'agent' ? 60_000 : 15_000, 15_000];

realSuite('terminals in sandboxes', [...withSandboxes, 'agentServer'], function () {
  this.timeout(150_000);
  let model: LiveConversation;
  let place: TerminalPlace;
  /** Added to each request, in milliseconds. */
  let roundTripMs = 0;
  const shown: Shown[] = [];

  /** What a terminal shows. */
  class Shown {
    text = '';
    end: TerminalEnd | undefined;
    /** Requests that ended. */
    asked = 0;
    /** Those of them that are commands, which are stored with their output. */
    stored = 0;
    private terminal: SandboxTerminal | undefined;

    async open(): Promise<SandboxTerminal> {
      return (this.terminal = await SandboxTerminal.open(this.desk, { cols: 80, rows: 24 }));
    }

    async attach(id: string): Promise<void> {
      this.terminal = await SandboxTerminal.attach(this.desk, id, { cols: 80, rows: 24 });
    }

    type(text: string): void {
      this.terminal?.type(new TextEncoder().encode(text));
    }

    shows(text: string): Promise<void> {
      return eventually(
        () => this.text.includes(text),
        () => `${text} in ${JSON.stringify(this.text.slice(-300))}`,
      );
    }

    async ends(): Promise<void> {
      this.terminal?.hangUp();
      await eventually(
        () => this.end !== undefined,
        () => 'the end',
      );
    }

    private counted(): TerminalPlace {
      const { terminal } = place.workspace;
      const count = async <T>(asking: Promise<T>, isStored: boolean): Promise<T> => {
        const answer = await asking.finally(() => (this.asked += 1));
        if (isStored) this.stored += 1;
        return answer;
      };
      return {
        ...place,
        workspace: {
          ...place.workspace,
          terminal: {
            execute: (...call) => count(terminal.execute(...call), true),
            wait: (...call) => count(terminal.wait(...call), true),
            upload: (...call) => count(terminal.upload(...call), false),
            readFrom: (...call) => count(terminal.readFrom(...call), false),
          },
        },
      };
    }

    private readonly desk = {
      reach: () => Promise.resolve(this.counted()),
      clock: systemClock,
      on: {
        output: (bytes: Uint8Array) => void (this.text += Buffer.from(bytes).toString('latin1')),
        skipped: () => assert.fail('nothing is left out'),
        stalled: () => undefined,
        ended: (how: TerminalEnd) => void (this.end = how),
      },
    };
  }

  const opened = async () => {
    const one = new Shown();
    shown.push(one);
    const terminal = await one.open();
    one.type('PS1=; stty -echo; echo re""ady\r');
    await one.shows('ready\r\n');
    return { one, terminal };
  };
  /** What a terminal asks a minute, and how many commands of that are stored an hour. */
  const rates = async (one: Shown, ms: number, work?: () => Promise<unknown>) => {
    [one.asked, one.stored] = [0, 0];
    await Promise.all([delay(ms), work?.()]);
    // With its output, which is another event.
    return { aMinute: (one.asked * 60_000) / ms, anHour: (one.stored * 2 * 3_600_000) / ms };
  };
  const note = (test: Mocha.Context, figures: string) => {
    if (test.test) test.test.title += `: ${figures}`;
  };

  before(async () => {
    mkdirSync(workFile(''), { recursive: true });
    let id: string;
    const client = realClient();
    await checkConnection(client);
    if (real().release.generation === 'agentServer') id = await startOnServer();
    else {
      await useModel();
      real().model.script(writingStep('any.txt', 'by the agent'));
      id = await startBesideOthers(client, 'Write the file.');
    }
    const openSocket = await createOpenSocket({}, undefined);
    const slowly: typeof fetch = async (...request) => {
      if (roundTripMs > 0) await delay(roundTripMs / 2);
      const answer = await fetch(...request);
      if (roundTripMs > 0) await delay(roundTripMs / 2);
      return answer;
    };
    model = new LiveConversation(id, conversationPorts(client, { openSocket, fetch: slowly }));
    place = await model.changes.place();
  });
  after(() => model.dispose());
  afterEach(async () => {
    for (const one of shown.splice(0)) if (one.end === undefined) await one.ends();
    await eventually(
      () => !existsSync(`${place.workingDir}/.agent-workspace`),
      () => 'a clean folder',
    );
  });

  it('are in the agent’s folder, on this computer, without the server’s keys', async () => {
    const { one } = await opened();
    one.type('pwd; env | grep -c -e SESSION_API_KEY -e OH_SECRET_KEY; echo do""ne; exit 5\r');
    await one.shows('done');
    assert.ok(one.text.includes(place.workingDir));
    assert.match(one.text, /\n0\r\n/);
    await eventually(
      () => one.end !== undefined,
      () => 'the end',
    );
    assert.deepEqual(one.end, { exitCode: 5 });
    assert.equal(await isThisComputer(place), true);
  });

  it('store nothing that is typed, and have no key in the agent’s folder', async () => {
    const { one } = await opened();
    one.type('echo ask""ing; read -r hidden; echo "has ${#hidden}"\r');
    await one.shows('asking');
    one.type('canary-typed-secret\r');
    await one.shows('has 19');
    const { folder } = real().service;
    const search = 'grep -rl canary-typed-secret "$0" "$1" || :; grep -rlF "$2" "$1" || :';
    const { sessionKey } = real().service;
    const found = execFileSync('/bin/sh', ['-c', search, folder, place.workingDir, sessionKey]);
    assert.equal(found.toString(), '');
  });

  it('echo a key at once', async function () {
    const { one } = await opened();
    one.type('stty raw; exec cat\r');
    await delay(500);
    const echo = async (count: number) => {
      const times: number[] = [];
      for (let key = 0; key < count; key += 1) {
        const [before, began] = [one.text.length, performance.now()];
        one.type('x');
        while (one.text.length === before && performance.now() - began < 5_000) await delay(1);
        times.push(performance.now() - began);
        await delay(83);
      }
      times.sort((a, b) => a - b);
      const [median = 0, p95 = 0] = [times[Math.floor(count / 2)], times[Math.floor(count * 0.95)]];
      return { median, words: `${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms` };
    };
    const near = await echo(80);
    roundTripMs = 100;
    try {
      const far = await echo(24);
      note(this, `${near.words}; with 100 ms more for each request ${far.words}`);
      assert.ok(near.median < 500 && far.median < 800);
    } finally {
      roundTripMs = 0;
    }
  });

  it(`type everything once and leave nothing behind, whatever happens (${cases} sequences)`, async function () {
    this.timeout(Math.max(150_000, cases * 30_000));
    const commands: string[] = [];
    const { workspace, workingDir } = place;
    const noted: typeof workspace.terminal.execute = (call, signal) => {
      commands.push(call.command);
      return workspace.terminal.execute(call, signal);
    };
    const terminal = { ...workspace.terminal, execute: noted };
    const at = (name: string) => name.replace(/^work/, workingDir);
    const sandbox = { at, commands, workspace: { terminal }, dispose: () => undefined };
    await typesOnce(() => sandbox, cases, 1);
    rmSync(at('work/typed'));
    const { folder } = real().service;
    const search = 'grep -rlF "$0" "$1" "$2" || :';
    const stored = execFileSync('/bin/sh', ['-c', search, firstTyped, folder, workingDir]);
    assert.equal(stored.toString(), '');
  });

  it('show 10 MB whole, and can be interrupted while they show more', async function () {
    const { one } = await opened();
    let began = performance.now();
    one.type('head -c 10000000 /dev/zero | tr "\\0" z; echo; echo la""st\r');
    await one.shows('last');
    const seconds = ((performance.now() - began) / 1_000).toFixed(2);
    assert.equal(one.text.split('z').length - 1, 10_000_000);
    one.text = '';
    one.type('yes\r');
    await one.shows('y\r\ny\r\n');
    await delay(1_000);
    began = performance.now();
    one.type('\u0003');
    one.type('echo "code $?"\r');
    await one.shows('code 130');
    note(this, `10 MB in ${seconds} s, Ctrl+C in ${((performance.now() - began) / 1_000).toFixed(2)} s`);
  });

  it('continue after a reload, resize, and draw full screens', async () => {
    const { one, terminal } = await opened();
    terminal.resize({ cols: 132, rows: 50 });
    one.type('stty size; kept=7\r');
    await one.shows('50 132');
    terminal.detach();
    one.end = { exitCode: 0 };
    const again = new Shown();
    shown.push(again);
    await again.attach(terminal.id);
    again.type('echo "is $kept"; printf "\\033[?1049h\\033[2J\\033[5;5Hfull\\033[?1049l"; stty size\r');
    await again.shows('is 7');
    await again.shows('\x1b[5;5Hfull');
    await again.shows('24 80');
  });

  it('ask little of the server, and nothing asleep', async function () {
    const [still, busy, sleeping] = await Promise.all([opened(), opened(), opened()]);
    sleeping.terminal.sleep();
    await delay(2_000);
    const type = async () => {
      for (let key = 0; key < sampleMs / 200; key += 1) {
        busy.one.type('#');
        await delay(200);
      }
    };
    const [quiet, typing, asleep] = await Promise.all([
      rates(still.one, quietMs),
      rates(busy.one, sampleMs, type),
      rates(sleeping.one, sampleMs),
    ]);
    sleeping.terminal.wake();
    note(
      this,
      `a minute: ${quiet.aMinute} quiet, ${typing.aMinute} typing, ${asleep.aMinute} asleep; ${quiet.anHour} events stored an hour`,
    );
    assert.ok(quiet.aMinute <= 6);
    assert.ok(typing.aMinute <= 2_000);
    // The last request that waited may end.
    assert.ok(asleep.aMinute <= 4);
  });
});
