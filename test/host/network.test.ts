import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import * as vscode from 'vscode';
import { openEventSocket } from '../../src/api/agent/socket';
import { networkOf } from '../../src/editor/network';
import { readConnections } from '../../src/editor/settings';
import { projectFolder } from '../support/paths';

const dispatchers = () =>
  ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(
    (name) => (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(name)],
  );

/** A program that creates our fetch before or after first using the built-in fetch, and reports the dispatchers. */
const program = (first: 'built-in' | 'ours') => `
  const all = () => [1, 2].map((n) => globalThis[Symbol.for('undici.globalDispatcher.' + n)]);
  const { createFetch } = require('./networkFetch.js');
  (async () => {
    if (${first === 'built-in'}) await fetch('data:,');
    const before = all();
    const own = await createFetch({ noProxy: '*' });
    await own('data:,');
    const { Dispatcher } = require('undici');
    const after = all();
    console.log(JSON.stringify({
      ours: after.some((one) => one instanceof Dispatcher),
      kept: before.every((one, index) => one === undefined || one === after[index]),
      there: after.filter(Boolean).length,
    }));
  })();
`;

describe('connection with network options', () => {
  let target: Server;
  let url: string;
  before((done) => {
    target = createServer((_request, response) => response.end('"hello"')).listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
      done();
    });
  });
  after((done) => {
    target.closeAllConnections();
    target.close(done);
  });

  it('has its own fetch and leaves the global dispatcher unchanged', async () => {
    await globalThis.fetch('data:,');
    const before = dispatchers();
    assert.ok(before.some(Boolean));
    const response = await networkOf({ noProxy: '*', proxy: 'http://127.0.0.1:9' }).fetch?.(url);
    assert.equal(await response?.json(), 'hello');
    assert.ok(dispatchers().every((dispatcher, index) => dispatcher === before[index]));
  });

  for (const first of ['built-in', 'ours'] as const) {
    it(`leaves dispatchers unchanged in a new Node process whose first fetch is ${first}`, async () => {
      await build({
        entryPoints: [path.join(projectFolder, 'src/editor/networkFetch.ts')],
        outfile: path.join(__dirname, 'networkFetch.js'),
        bundle: true,
        format: 'cjs',
        platform: 'node',
        external: ['undici'],
      });
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', program(first)], {
        cwd: __dirname,
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
      });
      const { ours, kept, there } = JSON.parse(stdout) as { ours: boolean; kept: boolean; there: number };
      assert.deepEqual({ ours, kept }, { ours: false, kept: true });
      assert.ok(there > 0);
    });
  }

  it('uses its proxy', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const network = networkOf({ proxy: address });
    assert.ok(network.fetch);
    await assert.rejects(network.fetch('http://service.invalid/'));
    assert.deepEqual(asked, ['service.invalid:80']);
    assert.equal(network.proxyFor(new URL('http://service.invalid/'))?.source, 'connection');
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('uses its proxy for each address that needs it, whatever the order of requests', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const near = createServer((_request, response) => response.end());
    const portOf = async (server: Server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    };
    const address = `http://127.0.0.1:${await portOf(proxy)}`;
    const nearby = `http://127.0.0.1:${await portOf(near)}/`;
    const { fetch } = networkOf({ proxy: address, noProxy: '127.0.0.1' });
    assert.ok(fetch);
    const first = await fetch(nearby);
    await assert.rejects(fetch('http://sandbox.invalid/'));
    const again = await fetch(nearby);
    for (const server of [proxy, near]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    assert.deepEqual([first.status, again.status, asked], [200, 200, ['sandbox.invalid:80']]);
  });
});

describe('a conversation’s socket', () => {
  for (const options of [undefined, { noProxy: '*' }]) {
    it(`sends its key in a header, ${options ? 'with network options' : 'by the editor’s own WebSocket'}`, async () => {
      const server = createServer();
      const handshake = new Promise<IncomingMessage>((resolve) =>
        server.on('upgrade', (request: IncomingMessage, socket) => {
          socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
          resolve(request);
        }),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { openSocket } = networkOf(options);
      const ended = new Promise((resolve) => {
        const listener = { opened: () => undefined, heard: () => undefined, ended: resolve };
        openEventSocket({ baseUrl: origin, origin, id: 'c1' }, 'sandbox-key', listener, openSocket);
      });
      const { headers, url } = await handshake;
      assert.deepEqual([headers['x-session-api-key'], url], ['sandbox-key', '/sockets/events/c1']);
      assert.equal(await ended, 'lost');
      await new Promise((resolve) => server.close(resolve));
    });
  }
});

describe('editor’s proxy settings', () => {
  const http = () => vscode.workspace.getConfiguration('http');
  const { Global } = vscode.ConfigurationTarget;
  afterEach(async () => {
    for (const name of ['proxy', 'noProxy', 'proxySupport']) await http().update(name, undefined, Global);
  });

  it('apply to every connection without its own proxy', async () => {
    await http().update('proxy', 'http://ada:canary@proxy.example:3128', Global);
    const service = new URL('https://service.example');
    for (const options of [undefined, {}, { caFile: '/ca.pem' }]) {
      const proxy = networkOf(options).proxyFor(service);
      assert.deepEqual([proxy?.source, proxy?.address], ['editor', 'proxy.example:3128']);
    }
    assert.equal(networkOf({ proxy: 'http://own:1' }).proxyFor(service)?.address, 'own:1');
    await http().update('noProxy', ['service.example'], Global);
    assert.equal(networkOf().proxyFor(service), undefined);
    await http().update('noProxy', undefined, Global);
    await http().update('proxySupport', 'off', Global);
    assert.equal(networkOf().proxyFor(service), undefined);
  });
});

describe('network options in the settings', () => {
  const configuration = () => vscode.workspace.getConfiguration('agentWorkspace');
  afterEach(() => configuration().update('connections', undefined, vscode.ConfigurationTarget.Global));

  it('are refused with a proxy password, without repeating the password', async () => {
    const entries = [
      { name: 'Good', url: 'https://good.example', network: { proxy: 'http://proxy.example:3128' } },
      { name: 'Bad', url: 'https://bad.example', network: { proxy: 'http://ada:canary@proxy.example' } },
    ];
    await configuration().update('connections', entries, vscode.ConfigurationTarget.Global);
    const { connections, problems } = readConnections();
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['Good'],
    );
    assert.match(problems.join(), /Connection “Bad”.*Remove the user name and password from “proxy”/);
    assert.ok(!problems.join().includes('canary'));
  });
});
