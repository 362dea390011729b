import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServedPage } from '../../../src/features/place/model/loopback';
import { servePage } from '../../../src/features/place/model/pageServer';
import { SandboxTunnel } from '../../../src/features/place/model/tunnel';
import { tunnelProgram } from '../../../src/features/place/model/tunnelProgram';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox, until } from '../changes/support';
import { written } from './terminalSupport';

/** Looks for answers more often. */
const hastily = (ms: number) => wait(ms / 5);

describe('pages of a port that isn’t exposed', function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let program: Server;
  let answer: RequestListener;
  let seen: IncomingMessage[];
  let port: number;
  let page: ServedPage;
  beforeEach(async () => {
    sandbox = new TestSandbox();
    seen = [];
    answer = (_request, response) => void response.end('hello');
    program = createServer((incoming, response) => {
      seen.push(incoming);
      answer(incoming, response);
    });
    await once(program.listen(0, '127.0.0.1'), 'listening');
    ({ port } = program.address() as AddressInfo);
    page = await pageOf(port);
  });
  afterEach(async () => {
    page.close();
    program.closeAllConnections();
    program.close();
    await until(() => !existsSync(sandbox.at('work/.agent-workspace')));
    for (const folder of ['', 'tmp'])
      assert.ok(!readdirSync(sandbox.at(folder)).some((name) => /^\.|^agent-workspace/.test(name)));
    sandbox.dispose();
  });

  const pageOf = (to: number) =>
    servePage(
      new SandboxTunnel({ workspace: sandbox.workspace, workingDir: sandbox.at('work') }, to, hastily),
      to,
    );
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET', body = '') => {
    const { hostname, port: own } = page.url;
    const sent = request({ hostname, port: own, path, headers, method, agent: false }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  const at = (path: string) => page.url.pathname + path;
  const endRelay = async () => {
    await sandbox.workspace.execute({ command: 'rm -rf .agent-workspace/p/*', cwd: sandbox.at('work') });
    await until(() => !existsSync(sandbox.at('work/.agent-workspace')));
  };

  /** Ends the relay as a restart of the sandbox would, which leaves its files. */
  function killRelay(): void {
    const ofRelay = (pid: string) => {
      try {
        // A shell that asks whether the relay is there names its folder, too.
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return !line.startsWith('/bin/sh') && line.includes(sandbox.at('work/.agent-workspace/p/'));
      } catch {
        return false;
      }
    };
    const relays = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && ofRelay(name));
    assert.equal(relays.length, 1);
    process.kill(Number(relays[0]), 'SIGKILL');
  }

  it('come through, with what they send, and the name that the program knows', async () => {
    answer = (incoming, response) => {
      void text(incoming).then((body) => {
        response.setHeader('x-own', 'a').writeHead(201).end(`${incoming.method} ${incoming.url} ${body}`);
      });
    };
    const { status, headers, body } = await get(
      at('a/b?c=%2F&d'),
      { origin: page.url.origin },
      'POST',
      'ünï',
    );
    assert.deepEqual([status, headers['x-own'], body], [201, 'a', 'POST /a/b?c=%2F&d ünï']);
    assert.equal(seen[0]?.headers.host, `localhost:${port}`);
    assert.equal(seen[0].headers.origin, `http://localhost:${port}`);
  });

  it('pass on no cookie, and nothing of the random path, in either direction', async () => {
    answer = (_incoming, response) => {
      response.setHeader('set-cookie', 'a=b').setHeader('clear-site-data', '"*"').end();
    };
    const referer = page.url.href;
    const { headers } = await get(at(''), { cookie: 'other=server', referer, 'x-forwarded-for': 'me' });
    const secret = page.url.pathname.split('/')[1] ?? '';
    assert.equal(secret.length, 32);
    assert.doesNotMatch(seen[0]?.rawHeaders.join('\n') ?? '', new RegExp(`${secret}|cookie|forwarded`, 'i'));
    assert.deepEqual([headers['set-cookie'], headers['clear-site-data']], [undefined, undefined]);
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.ok(sandbox.commands.every((one) => !one.includes('other=server') && !one.includes('GET /')));
  });

  it('are shown only to those who know the path, and absolute links of a page lead back to it', async () => {
    for (const path of [
      '/',
      '/a.js',
      `${page.url.pathname.slice(0, -3)}/`,
      'http://evil.example/',
      '//evil.example/',
    ])
      assert.equal((await get(path)).status, 404, path);
    assert.equal((await get('/a.js', { referer: `http://evil.example${page.url.pathname}x` })).status, 307);
    assert.equal((await get('/a.js', { referer: `${page.url.origin}/x` })).status, 404);
    assert.equal(seen.length, 0);
    const { status, headers } = await get('/a.js?x', { referer: `${page.url.href}index.html` });
    assert.deepEqual([status, headers.location], [307, at('a.js?x')]);
    assert.equal((await get(page.url.pathname.slice(0, -1))).headers.location, page.url.pathname);
  });

  it('ask nobody else, whatever address they ask for', async () => {
    assert.equal((await get(at('/evil.example/x'))).body, 'hello');
    assert.equal(seen[0]?.url, '//evil.example/x');
    assert.equal((await get(at('@evil.example/'))).body, 'hello');
    assert.equal(seen[1]?.url, '/@evil.example/');
    assert.equal(
      (await get('//evil.example/x', { referer: page.url.href })).headers.location,
      at('/evil.example/x'),
    );
  });

  it('follow redirects within the port, and name others without following them', async () => {
    let location = '';
    answer = (_incoming, response) => void response.writeHead(302, { location }).end();
    for (const [to, expected] of [
      ['/next?a#b', at('next?a#b')],
      ['next', at('dir/next')],
      [`http://localhost:${port}/x`, at('x')],
      [`http://127.0.0.1:${port}/x`, at('x')],
    ]) {
      location = to ?? '';
      const { status, headers } = await get(at('dir/page'));
      assert.deepEqual([status, headers.location], [302, expected]);
    }
    for (const to of [
      'https://evil.example/',
      '//evil.example/x',
      `http://localhost:${port + 1}/`,
      'javascript:alert(1)',
      `https://localhost:${port}/`,
    ]) {
      location = to;
      const { status, headers, body } = await get(at('/evil.example/page'));
      assert.deepEqual([status, headers.location], [502, undefined], to);
      assert.match(body, /isn’t in the sandbox/);
    }
  });

  it('refuse to change the protocol, and continue', async () => {
    const socket = connect(Number(page.url.port), '127.0.0.1');
    socket.write(`GET ${at('')} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 501 /);
    assert.equal((await get(at(''))).body, 'hello');
  });

  it('say when nothing listens anymore, and when what listens doesn’t speak HTTP', async () => {
    page.close();
    const server = createTcpServer((socket) => void socket.resume().end('SSH-2.0\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port: other } = server.address() as AddressInfo;
    page = await pageOf(other);
    assert.match((await get(at(''))).body, /doesn’t answer/);
    await new Promise((resolve) => server.close(resolve));
    const { status, body } = await get(at(''));
    assert.deepEqual([status, body], [502, `Nothing is listening on port ${other} in the sandbox.\n`]);
  });

  it('come through from a program that listens on IPv6 only', async () => {
    page.close();
    const other = createServer((_incoming, response) => void response.end('six'));
    await once(other.listen(0, '::1'), 'listening');
    page = await pageOf((other.address() as AddressInfo).port);
    assert.equal((await get(at(''))).body, 'six');
    other.close();
  });

  it('say why the port couldn’t be opened in the sandbox', async () => {
    page.close();
    const exchange = () => Promise.reject(new Refusal('The sandbox couldn’t open the port: no space'));
    page = await servePage({ exchange, close: () => Promise.resolve() }, 1);
    const { status, body } = await get(at(''));
    assert.deepEqual([status, body], [502, 'The sandbox couldn’t open the port: no space\n']);
  });

  it('say what the sandbox’s server answered instead of the program', async () => {
    const { terminal } = sandbox.workspace;
    const readFrom = terminal.readFrom.bind(terminal);
    terminal.readFrom = () => Promise.reject(new ApiError('serverError', 'GET', '/', { status: 500 }));
    const { status, body } = await get(at(''));
    assert.equal(status, 502);
    assert.notEqual(body, '');
    terminal.readFrom = readFrom;
    assert.equal((await get(at(''))).body, 'hello');
  });

  it('end where a program dies within its answer', async () => {
    answer = (_incoming, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write('x'.repeat(100_000), () => response.destroy());
    };
    await assert.rejects(get(at('')), /aborted|ECONNRESET|terminated/i);
    answer = (_incoming, response) => void response.end('again');
    assert.equal((await get(at(''))).body, 'again');
  });

  it('pass 100 MB on exactly', async () => {
    const chunk = Buffer.alloc(1_000_000, 'abcdefghij');
    answer = (_incoming, response) => {
      let left = 100;
      const more = () => {
        while (left > 0) {
          left -= 1;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    let most = 0;
    const { terminal } = sandbox.workspace;
    const readFrom = terminal.readFrom.bind(terminal);
    terminal.readFrom = (file, offset) => {
      const folder = path.dirname(file);
      most = Math.max(most, existsSync(folder) ? readdirSync(folder).length : 0);
      return readFrom(file, offset);
    };
    const { body } = await get(at(''));
    // The relay is never far ahead, and removes what was read.
    assert.ok(most > 4 && most < 16, `${most} MiB`);
    assert.equal(body.length, 100_000_000);
    assert.equal(body, 'abcdefghij'.repeat(10_000_000));
  });

  it('answer several requests at once, slow ones too', async () => {
    answer = (incoming, response) => {
      if (incoming.url !== '/slow') response.end(incoming.url);
      else void until(() => seen.length === 9).then(() => response.end('slow'));
    };
    const names = 'abcdefgh'.split('');
    const slow = get(at('slow'));
    const all = await Promise.all(names.map((name) => get(at(name))));
    assert.deepEqual(
      all.map(({ body }) => body),
      names.map((name) => `/${name}`),
    );
    assert.equal((await slow).body, 'slow');
  });

  it('continue when the relay in the sandbox has ended', async () => {
    assert.equal((await get(at(''))).body, 'hello');
    await endRelay();
    assert.equal((await get(at(''))).body, 'hello');
  });

  it('continue when the sandbox was restarted, which leaves the files of the relay', async () => {
    assert.equal((await get(at(''))).body, 'hello');
    killRelay();
    assert.equal((await get(at(''))).body, 'hello');
    assert.equal(seen.length, 2);
  });

  it('end when the sandbox is restarted before the program has answered, or while it does', async () => {
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    page.close();
    page = await servePage(new SandboxTunnel(place, port, () => wait(0)), port);
    answer = () => killRelay();
    assert.equal((await get(at('slow'), {}, 'POST', 'once')).status, 502);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
    const { hostname, port: own } = page.url;
    const sent = request({ hostname, port: own, path: at('events'), agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    killRelay();
    await assert.rejects(text(response));
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/slow', '/events'],
    );
  });

  it('ask for nothing twice that may have been done when the relay ended', async () => {
    answer = () => void endRelay();
    assert.equal((await get(at('pay'), {}, 'POST', 'once')).status, 502);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
    const { hostname, port: own } = page.url;
    const sent = request({ hostname, port: own, path: at('events'), agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await Promise.all([assert.rejects(text(response)), endRelay()]);
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/pay', '/events'],
    );
    answer = (_request, response) => void response.end('again');
    assert.equal((await get(at(''))).body, 'again');
  });

  it('ask for what arrives in parts once it’s whole', async () => {
    const { terminal } = sandbox.workspace;
    const upload = terminal.upload.bind(terminal);
    terminal.upload = async (file, content) => {
      if (file.endsWith('.q')) {
        await upload(file, content.subarray(0, 20));
        // The relay looks at them in this order.
        const next = path.join(path.dirname(file), 'next.x');
        await upload(next, new Uint8Array());
        await until(() => !existsSync(next));
      }
      await upload(file, content);
    };
    answer = (incoming, response) => void text(incoming).then((body) => response.end(body));
    assert.equal((await get(at(''), {}, 'POST', 'whole')).body, 'whole');
    assert.equal(seen.length, 1);
  });

  it('keep the relay while somebody waits for an answer', async () => {
    page.close();
    const { terminal } = sandbox.workspace;
    const upload = terminal.upload.bind(terminal);
    const waiting = new Promise<string>((resolve) => {
      terminal.upload = (file, content) => {
        if (file.endsWith('.a0')) resolve(file);
        return upload(file, content);
      };
    });
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    page = await servePage(new SandboxTunnel(place, port, () => wait(0)), port);
    answer = (_request, response) => void waiting.then(() => response.end('late'));
    assert.equal((await get(at(''))).body, 'late');
  });

  it('come through where another tunnel’s end takes the folder at the same moment', async () => {
    const [mkdir, once] = [sandbox.at('bin/mkdir'), sandbox.at('once')];
    sandbox.write(
      'bin/mkdir',
      `#!/bin/sh\n[ -e '${once}' ] && exec /bin/mkdir "$@"\n: > '${once}'\necho 'No such file or directory' >&2; exit 1\n`,
    );
    chmodSync(mkdir, 0o755);
    sandbox.environmentFor({ PATH: `${sandbox.at('bin')}:${process.env['PATH']}` });
    assert.equal((await get(at(''))).body, 'hello');
    assert.ok(existsSync(once));
    sandbox.environmentFor({});
  });

  it('leave no relay that nobody uses, nor one whose folder is gone', async () => {
    for (const [grace, removes] of [
      [0.1, false],
      [600, true],
    ] as const) {
      const folder = sandbox.at(`work/.agent-workspace/p/${'0'.repeat(12)}`);
      mkdirSync(folder, { recursive: true });
      sandbox.write('work/.agent-workspace/.gitignore', '*');
      const said = execFileSync('python3', ['-c', tunnelProgram, folder, String(port), String(grace)]);
      assert.equal(said.toString(), 'ok\n');
      const pid = readFileSync(path.join(folder, 'pid'), 'utf8');
      if (removes) rmSync(folder, { recursive: true });
      await until(() => written(`/proc/${pid}/cmdline`) === '');
      assert.ok(!existsSync(sandbox.at('work/.agent-workspace')));
    }
  });

  it('are refused without Python, in words', async () => {
    sandbox.environmentFor({ PATH: sandbox.at('bin') });
    sandbox.write('bin/none', '');
    const tunnel = new SandboxTunnel({ workspace: sandbox.workspace, workingDir: sandbox.at('work') }, port);
    await assert.rejects(tunnel.open(), (error) => error instanceof Refusal);
    sandbox.environmentFor({});
  });
});
