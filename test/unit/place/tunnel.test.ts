import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import type { TerminalPlace } from '../../../src/features/place/model/terminalLine';
import { NoListener, SandboxTunnel } from '../../../src/features/place/model/tunnel';
import { settled } from '../../support/settled';

const mebibyte = 1 << 20;
const end = Buffer.alloc(4);
const noListener = Buffer.alloc(4, 0xff);

/** Bytes as the relay writes them. */
function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A sandbox whose relay is made of its files: what is in each piece of an answer, as long as it lives. */
class Relayed {
  readonly commands: string[] = [];
  /** Names of the files that were uploaded to a relay, and the content of those that aren’t empty. */
  readonly uploads: string[] = [];
  /** Where each look began: the connection and piece, and the offset. */
  readonly looks: string[] = [];
  readonly waits: number[] = [];
  /** By connection and piece, such as `1.0`. */
  readonly pieces = new Map<string, Buffer>();
  /** Most bytes that a look gets. */
  most = Infinity;
  /** What starting a relay answers. */
  started = { exitCode: 0, stdout: 'ok\n', stderr: '' };
  /** The exit code of asking whether a relay is there. */
  alive = 0;
  upload: () => Promise<void> = () => Promise.resolve();
  /** What looks answer instead. */
  fails: ApiError | undefined;
  /** Called before each wait with the number of those before it. */
  onWait: (count: number) => void = () => undefined;
  readonly tunnel: SandboxTunnel;

  constructor(workingDir = '/work') {
    const place = {
      workingDir,
      workspace: {
        terminal: {
          execute: ({ command }: { command: string }) => {
            this.commands.push(command);
            const isStart = command.includes('python3 -c');
            const exitCode = command.startsWith('cd ') ? this.alive : 0;
            return Promise.resolve(isStart ? this.started : { exitCode, stdout: '', stderr: '' });
          },
          upload: (file: string, content: Uint8Array) => {
            const name = file.slice(file.lastIndexOf('/') + 1);
            this.uploads.push(`${name} ${Buffer.from(content).toString('latin1')}`.trim());
            return this.upload();
          },
          readFrom: (file: string, offset: number) => {
            const name = file.slice(file.lastIndexOf('/') + 1);
            this.looks.push(`${name} ${offset}`);
            if (this.fails) return Promise.reject(this.fails);
            const bytes = this.pieces.get(name)?.subarray(offset, offset + this.most);
            return bytes
              ? Promise.resolve(bytes)
              : Promise.reject(new ApiError('notFound', 'GET', '/', { status: 404 }));
          },
        },
      },
    };
    this.tunnel = new SandboxTunnel(place as unknown as TerminalPlace, 3000, async (ms) => {
      this.onWait(this.waits.length);
      this.waits.push(ms);
      await settled();
    });
  }

  /** What comes back of what is sent. */
  async ask(sent = 'GET', signal = new AbortController().signal): Promise<Buffer> {
    const got: Buffer[] = [];
    const take = (bytes: Uint8Array) => Promise.resolve(void got.push(Buffer.from(bytes)));
    await this.tunnel.exchange(Buffer.from(sent), take, signal);
    await settled();
    return Buffer.concat(got);
  }

  /** The commands that ask whether a relay is there. */
  get checks(): number {
    return this.commands.filter((one) => one.startsWith('cd ')).length;
  }

  /** How many relays were started. */
  get starts(): number {
    return this.commands.filter((one) => one.includes('python3 -c')).length;
  }

  get removals(): number {
    return this.commands.filter((one) => one.startsWith('rm -rf ')).length;
  }
}

describe('the tunnel to a port of a sandbox', () => {
  it('says why it couldn’t be opened: in the words of the program, or else its exit code', async () => {
    const of = new Relayed();
    for (const [started, words] of [
      [{ exitCode: 1, stdout: '', stderr: 'no\nspace\n' }, /: no space$/],
      [{ exitCode: 8, stdout: '', stderr: ' \n' }, /: 8$/],
      [{ exitCode: 0, stdout: 'oops', stderr: '' }, /couldn’t open the port: 0$/],
      [{ exitCode: 7, stdout: '', stderr: '' }, /needs Python/],
    ] as const) {
      of.started = started;
      await assert.rejects(of.ask(), (error) => error instanceof Refusal && words.test(error.message));
    }
    of.started = { exitCode: 0, stdout: ' ok\n', stderr: 'a warning' };
    of.pieces.set('1.0', end);
    await of.ask();
    assert.deepEqual([of.starts, of.uploads], [5, ['1.q 3\nGET', '1.x']]);
  });

  it('is in the agent’s folder, also if that is the root', async () => {
    for (const [workingDir, folder] of [
      ['/work', /^\/work\/\.agent-workspace\/p\/[0-9a-f]{12}$/],
      ['/', /^\/\.agent-workspace\/p\/[0-9a-f]{12}$/],
    ] as const)
      assert.match(await new Relayed(workingDir).tunnel.open(), folder);
  });

  it('puts an answer together, however it’s cut, and asks for each byte once', async () => {
    const parts = ['a', 'bcdef', 'g'.repeat(11)].map((part) => Buffer.from(part));
    for (const most of [1, 3, 4, 7, Infinity]) {
      const of = new Relayed();
      of.most = most;
      of.pieces.set('1.0', Buffer.concat([...parts.map(frame), end]));
      assert.equal((await of.ask()).toString(), 'abcdefggggggggggg');
      assert.deepEqual(of.waits, []);
      assert.equal(new Set(of.looks).size, of.looks.length);
    }
  });

  it('reads one file after the other, and says every fourth time how many it has read', async () => {
    const of = new Relayed();
    const whole = Buffer.alloc(mebibyte - 4, 'x');
    for (let n = 0; n < 9; n += 1) of.pieces.set(`1.${n}`, frame(whole));
    of.pieces.set('1.9', Buffer.concat([frame(Buffer.from('last')), end]));
    const got = await of.ask();
    assert.ok(got.equals(Buffer.concat([...Array<Buffer>(9).fill(whole), Buffer.from('last')])));
    assert.deepEqual(
      of.looks,
      Array.from({ length: 10 }, (_, n) => `1.${n} 0`),
    );
    assert.deepEqual(of.uploads, ['1.q 3\nGET', '1.a4', '1.a8', '1.x']);
    of.pieces.set('2.0', end);
    await of.ask('');
    assert.deepEqual(of.uploads.slice(4), ['2.q 0', '2.x']);
    assert.equal(of.starts, 1);
  });

  it('looks soon at first, then less and less often, and soon again after something came', async () => {
    const of = new Relayed();
    const first = frame(Buffer.from('a'));
    of.onWait = (count) => {
      if (count === 7) of.pieces.set('1.0', first);
      if (count === 9) of.pieces.set('1.0', Buffer.concat([first, end]));
    };
    assert.equal((await of.ask()).toString(), 'a');
    assert.deepEqual(of.waits, [20, 30, 50, 100, 250, 500, 500, 500, 20, 30]);
  });

  it('asks whether the relay is there when no answer has begun for a while, and goes on if it is', async () => {
    const of = new Relayed();
    const checks: number[] = [];
    of.onWait = (count) => {
      if (of.checks > checks.length) checks.push(count + 1);
      if (count === 40) of.pieces.set('1.0', end);
    };
    await of.ask();
    assert.deepEqual([checks, of.starts, of.removals], [[16, 32], 1, 0]);
    assert.deepEqual(of.uploads, ['1.q 3\nGET', '1.x']);
  });

  it('tells the relay now and then that somebody waits for the rest of an answer', async () => {
    const of = new Relayed();
    of.pieces.set('1.0', frame(Buffer.from('a')));
    of.onWait = (count) => {
      if (count === 490) of.pieces.set('1.0', Buffer.concat([frame(Buffer.from('a')), end]));
    };
    await of.ask();
    assert.deepEqual([of.checks, of.uploads], [2, ['1.q 3\nGET', '1.a0', '1.a0', '1.x']]);
  });

  it('starts another relay for what was never sent, and sends nothing twice that was', async () => {
    const of = new Relayed();
    of.alive = 9;
    of.onWait = () => of.pieces.set('2.0', Buffer.concat([frame(Buffer.from('b')), end]));
    assert.equal((await of.ask()).toString(), 'b');
    assert.deepEqual([of.starts, of.removals, of.uploads], [2, 1, ['1.q 3\nGET', '2.q 3\nGET', '2.x']]);
    of.alive = 1;
    assert.equal((await of.ask()).toString(), '');
    assert.deepEqual([of.starts, of.removals, of.uploads.slice(3)], [2, 2, ['3.q 3\nGET']]);
    of.pieces.set('4.0', end);
    await of.ask();
    assert.equal(of.starts, 3);
  });

  it('starts one other relay, whoever else was asking the one that is gone', async () => {
    const of = new Relayed();
    of.alive = 9;
    const asking = [of.ask('first')];
    of.onWait = (count) => {
      if (count === 4) asking.push(of.ask('second'));
    };
    for (const name of ['3.0', '4.0']) of.pieces.set(name, end);
    await asking[0];
    await asking[1];
    assert.deepEqual([of.checks, of.starts], [2, 2]);
  });

  it('ends with whoever asks, with the server, and where nothing listens, and says so to the relay', async () => {
    const of = new Relayed();
    of.pieces.set('1.0', noListener);
    await assert.rejects(of.ask(), NoListener);
    const leaving = new AbortController();
    of.onWait = (count) => {
      if (count === 2) leaving.abort();
    };
    await assert.rejects(of.ask('', leaving.signal), NoListener);
    assert.equal(of.waits.length, 3);
    await settled();
    assert.deepEqual(of.uploads, ['1.q 3\nGET', '1.x', '2.q 0', '2.x']);
    const failure = new ApiError('serverError', 'GET', '/', { status: 500 });
    of.fails = failure;
    await assert.rejects(of.ask(), failure);
    assert.deepEqual([of.waits.length, of.uploads.at(-1)], [3, '3.x']);
  });

  it('closes after the uploads on their way, which would make its folder again, and begins none', async () => {
    const of = new Relayed();
    let arrive: () => void = () => undefined;
    of.upload = () => new Promise((resolve) => (arrive = resolve));
    const asking = assert.rejects(of.ask(), NoListener);
    await settled();
    const closing = of.tunnel.close();
    await settled();
    assert.equal(of.removals, 0);
    arrive();
    await Promise.all([asking, closing]);
    assert.deepEqual([of.removals, of.uploads], [1, ['1.q 3\nGET']]);
    const unused = new Relayed();
    await unused.tunnel.close();
    assert.deepEqual(unused.commands, []);
  });
});
