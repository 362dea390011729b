import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/api/http/clock';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { isThisComputer } from '../../src/features/place/model/here';
import { SandboxTerminal } from '../../src/features/place/model/terminal';
import type { TerminalEnd, TerminalPlace } from '../../src/features/place/model/terminalLine';
import { LiveConversation } from '../../src/features/live/model/liveConversation';
import { conversationPorts } from '../support/builders/ports';
import { eventually } from '../unit/place/terminalSupport';
import { startConversation, startOnServer, useModel, workFile, writingStep } from './support/conversations';
import { withSandboxes } from './support/releases';
import { real, realClient, realSuite } from './support/suite';

/** For samples of quiet and of typing, in milliseconds. A request waits for output up to 55 s. */
const [quietMs, typingMs] = [60_000, 15_000];

realSuite('terminals in sandboxes', [...withSandboxes, 'agentServer'], function () {
  this.timeout(150_000);
  let model: LiveConversation;
  let place: TerminalPlace;
  /** Requests that ended, by the last part of their route. */
  let asked: Record<string, number> = {};
  const shown: Shown[] = [];

  /** What a terminal shows. */
  class Shown {
    text = '';
    end: TerminalEnd | undefined;
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

    private readonly desk = {
      reach: () => Promise.resolve(place),
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
  const aMinute = async (ms: number, work?: () => Promise<unknown>): Promise<number> => {
    asked = {};
    await Promise.all([delay(ms), work?.()]);
    return (Object.values(asked).reduce((sum, count) => sum + count, 0) * 60_000) / ms;
  };
  const note = (test: Mocha.Context, figures: string) => {
    if (test.test) test.test.title += `: ${figures}`;
  };

  before(async () => {
    mkdirSync(workFile(''), { recursive: true });
    let id: string | null | undefined;
    const client = realClient();
    await checkConnection(client);
    if (real().release.generation === 'agentServer') id = await startOnServer();
    else {
      await useModel();
      real().model.script(writingStep('any.txt', 'by the agent'));
      ({ app_conversation_id: id } = await startConversation(client, 'Write the file.'));
    }
    assert.ok(id);
    const openSocket = await createOpenSocket({}, undefined);
    const log = ({ route }: { route: string }) => {
      const name = /(execute|upload|download)/.exec(route)?.[1] ?? 'other';
      asked[name] = (asked[name] ?? 0) + 1;
    };
    model = new LiveConversation(id, conversationPorts(client, { openSocket, log }));
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

  it('store nothing that is typed', async () => {
    const { one } = await opened();
    one.type('echo ask""ing; read -r hidden; echo "has ${#hidden}"\r');
    await one.shows('asking');
    one.type('canary-typed-secret\r');
    await one.shows('has 19');
    const { folder } = real().service;
    const found = execFileSync('/bin/sh', [
      '-c',
      'grep -rl canary-typed-secret "$0" "$1" || :',
      folder,
      place.workingDir,
    ]);
    assert.equal(found.toString(), '');
  });

  it('echo a key at once', async function () {
    const { one } = await opened();
    one.type('stty raw; exec cat\r');
    await delay(500);
    const times: number[] = [];
    for (let key = 0; key < 80; key += 1) {
      const [before, began] = [one.text.length, performance.now()];
      one.type('x');
      while (one.text.length === before && performance.now() - began < 5_000) await delay(1);
      times.push(performance.now() - began);
      await delay(83);
    }
    times.sort((a, b) => a - b);
    const [median = 0, p95 = 0] = [times[40], times[76]];
    note(this, `${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
    assert.ok(median < 500);
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

  it('go on after a reload, resize, and draw full screens', async () => {
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
    const { one, terminal } = await opened();
    await delay(2_000);
    const quiet = await aMinute(quietMs);
    const typing = await aMinute(typingMs, async () => {
      for (let key = 0; key < typingMs / 200; key += 1) {
        one.type('#');
        await delay(200);
      }
    });
    terminal.sleep();
    await delay(2_000);
    const asleep = await aMinute(typingMs);
    terminal.wake();
    note(this, `a minute: ${quiet} quiet, ${typing} typing, ${asleep} asleep`);
    assert.ok(quiet <= 6);
    assert.ok(typing <= 2_000);
    // The last request that waited may end.
    assert.ok(asleep <= 4);
  });
});
