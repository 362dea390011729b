import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchFor } from '../../src/platform/network';

const dispatchers = () =>
  ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(
    (name) => (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(name)],
  );

describe('a connection with network options', () => {
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

  it('has a fetch of its own and leaves the dispatcher of all extensions alone', async () => {
    await globalThis.fetch('data:,');
    const before = dispatchers();
    const response = await fetchFor({ noProxy: '*', proxy: 'http://127.0.0.1:9' })(url);
    assert.equal(await response.json(), 'hello');
    assert.deepEqual(dispatchers(), before);
    assert.ok(dispatchers().every((dispatcher, index) => dispatcher === before[index]));
  });

  it('goes through its proxy', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await assert.rejects(fetchFor({ proxy: address })('http://service.invalid/'));
    assert.deepEqual(asked, ['service.invalid:80']);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
