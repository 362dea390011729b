import assert from 'node:assert/strict';
import { json as readJson } from 'node:stream/consumers';
import { createSandboxWorkspace } from '../../../../src/api/agent/workspace';
import { createLimiter } from '../../../../src/api/http/limiter';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { failureOf, hastyClock } from '../support/client';
import { FakeClock } from '../support/clock';
import { closeServers, json, serve } from '../support/servers';

describe('workspace of a sandbox', () => {
  afterEach(closeServers);

  const agent = { release: '1.58.0', capabilities: [] };

  async function connect(answer: unknown) {
    const server = await serve((_request, response) => json(response, answer));
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    return createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'canary-key', agent, options);
  }

  for (const answer of [{ success: false }, {}, []]) {
    it(`doesn’t take ${JSON.stringify(answer)} for a written file`, async () => {
      const workspace = await connect(answer);
      const { reason, outcomeUnknown } = await failureOf(workspace.upload('/a', new Uint8Array()));
      assert.deepEqual([reason, outcomeUnknown], ['badShape', true]);
    });
  }

  for (const [capabilities, root] of [
    [['conversation_runtime_routes_v1'], '/api/conversations/a'],
    [[], '/api'],
  ] as const)
    it(`asks by ${root} with ${capabilities.length} capabilities`, async () => {
      const server = await serve((_request, response) => json(response, { success: true, exit_code: 0 }));
      const clock = hastyClock();
      const options = { clock, limiter: createLimiter(clock) };
      const address = { baseUrl: server.origin, id: 'a' };
      const workspace = createSandboxWorkspace(address, 'key', { ...agent, capabilities }, options);
      assert.equal(workspace.isBound, capabilities.length > 0);
      await workspace.execute({ command: 'true', cwd: '/work' });
      await workspace.download('/work/a b', { maxBytes: 100 });
      await workspace.upload('/work/a', new Uint8Array());
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        [
          '/bash/execute_bash_command',
          '/file/download?path=%2Fwork%2Fa+b',
          '/file/upload?path=%2Fwork%2Fa',
        ].map((path) => root + path),
      );
    });

  it('has no output where a command has none', async () => {
    const workspace = await connect({ exit_code: 0, stdout: null });
    assert.deepEqual(await workspace.execute({ command: 'true', cwd: '/' }), {
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });

  /** A workspace with files that the server answers like this, with the ranges that are asked for. */
  async function withFile(status: number, headers: Record<string, string>, content = '') {
    const server = await serve((_request, response) => response.writeHead(status, headers).end(content));
    const log: RequestEvent[] = [];
    const options = { clock: hastyClock(), log: (event: RequestEvent) => void log.push(event) };
    const workspace = createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'key', agent, options);
    const piece = (from: number, maxBytes = 100) =>
      workspace.downloadPiece('/work/a', { from, length: 4, maxBytes });
    return { workspace, piece, log, asked: () => server.requests.map(({ headers }) => headers.range) };
  }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  it('reads a piece of a file, and what the server says of the whole', async () => {
    const headers = { 'Content-Range': 'bytes 8-11/20', ETag: '"v1"' };
    const { piece, asked } = await withFile(206, headers, 'abcd');
    const { bytes, ...rest } = await piece(8);
    assert.deepEqual([text(bytes), rest], ['abcd', { from: 8, size: 20, tag: '"v1"' }]);
    assert.deepEqual(asked(), ['bytes=8-11']);
  });

  it('reads the whole file of a server that knows no pieces, up to a limit', async () => {
    const { piece } = await withFile(200, {}, 'abcdefgh');
    const { bytes, ...rest } = await piece(2);
    assert.deepEqual([text(bytes), rest], ['abcdefgh', { from: 0, size: 8, tag: undefined }]);
    assert.equal((await failureOf(piece(2, 7))).reason, 'tooLarge');
  });

  for (const [tag, strong] of [
    ['"a b"', undefined],
    ['"!#~"', '"!#~"'],
    ['""', '""'],
    ['W/"v1"', undefined],
    ['"v1", "v2"', undefined],
    ['v1', undefined],
  ] as const)
    it(`${strong === undefined ? 'doesn’t rely' : 'relies'} on the tag ${tag}`, async () => {
      const { piece } = await withFile(200, { ETag: tag }, 'a');
      assert.equal((await piece(0)).tag, strong);
    });

  it('takes a file without a first byte for an empty one, which is no failure', async () => {
    const { piece, log } = await withFile(416, {});
    const { bytes, ...rest } = await piece(0);
    assert.deepEqual([bytes.byteLength, rest], [0, { from: 0, size: 0, tag: undefined }]);
    assert.equal((await failureOf(piece(8))).status, 416);
    assert.deepEqual(
      log.map(({ expected }) => expected),
      [true, true],
    );
    const missing = await withFile(404, {});
    assert.equal((await failureOf(missing.piece(0))).status, 404);
    assert.equal(missing.log[0]?.expected, false);
  });

  it('follows a growing file from where it was, also while there’s nothing new, or no file', async () => {
    const growing = await withFile(206, {}, 'new');
    assert.equal(text(await growing.workspace.terminal.readFrom('/work/a', 7)), 'new');
    assert.deepEqual(growing.asked(), ['bytes=7-']);
    const same = await withFile(416, {});
    assert.equal((await same.workspace.terminal.readFrom('/work/a', 7)).byteLength, 0);
    const missing = await withFile(404, {});
    assert.equal((await failureOf(missing.workspace.terminal.readFrom('/work/a', 0))).status, 404);
    const forbidden = await withFile(403, {});
    assert.equal((await failureOf(forbidden.workspace.terminal.readFrom('/work/a', 0))).status, 403);
    assert.deepEqual(
      [same, missing, forbidden].map(({ log }) => log[0]?.expected),
      [true, true, false],
    );
  });

  it('sends a command with its folder and the time that it may take, and waits a little longer', async () => {
    const bodies: unknown[] = [];
    const server = await serve((request, response, number) => {
      void readJson(request).then((body) => {
        bodies.push(body);
        if (number === 2) json(response, { exit_code: 3, stderr: 'no' });
      });
    });
    const clock = new FakeClock();
    const options = { clock, limiter: createLimiter(clock) };
    const workspace = createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'key', agent, options);
    const late = failureOf(workspace.execute({ command: 'sleep 9', cwd: '/work' }));
    await server.received(1);
    assert.deepEqual(clock.running, [75_000]);
    clock.advance(75_000);
    assert.equal((await late).reason, 'timeout');
    const call = { command: 'false', cwd: '/', timeoutSeconds: 5 };
    assert.deepEqual(await workspace.execute(call), { exitCode: 3, stdout: '', stderr: 'no' });
    assert.deepEqual(bodies, [
      { command: 'sleep 9', cwd: '/work', timeout: 60 },
      { command: 'false', cwd: '/', timeout: 5 },
    ]);
  });

  it('gives large files minutes, but a key that was typed only seconds', async () => {
    const server = await serve(() => undefined);
    const clock = new FakeClock();
    const options = { clock, limiter: createLimiter(clock) };
    const workspace = createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'key', agent, options);
    const piece = { from: 0, length: 1, maxBytes: 1 };
    for (const [ms, request] of [
      [300_000, () => workspace.download('/a', { maxBytes: 1 })],
      [300_000, () => workspace.downloadPiece('/a', piece)],
      [300_000, () => workspace.upload('/a', new Uint8Array())],
      [15_000, () => workspace.terminal.upload('/a', new Uint8Array())],
    ] as const) {
      const stop = failureOf(request());
      await clock.started(ms);
      assert.deepEqual(clock.running, [ms]);
      clock.advance(ms);
      assert.equal((await stop).reason, 'timeout');
    }
  });

  it('writes a path into the address for old releases, and refuses one that isn’t absolute', async () => {
    const server = await serve((_request, response) => json(response, { success: true }));
    const clock = hastyClock();
    const address = { baseUrl: server.origin, id: 'a' };
    const old = { ...agent, release: '1.14.0' };
    const options = { clock, limiter: createLimiter(clock) };
    const workspace = createSandboxWorkspace(address, 'key', old, options);
    await workspace.upload('/work/a b', new Uint8Array());
    assert.deepEqual(
      server.requests.map(({ method, url }) => `${method} ${url}`),
      ['POST /api/file/upload/%2Fwork%2Fa%20b'],
    );
    const refused = await failureOf(workspace.download('work/a', { maxBytes: 1 }));
    assert.deepEqual([refused.reason, refused.method, refused.route], ['badId', 'GET', '/api/file/download']);
    assert.equal(server.requests.length, 1);
  });
});
