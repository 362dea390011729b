import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { isOfServer, listeningPorts, parsePorts, reachOf } from '../../../src/features/place/model/ports';
import { Refusal } from '../../../src/core/basics/refusal';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

/** A program of its own that listens; resolves to its port. */
async function listen(host: string, programs: ChildProcess[], cwd?: string): Promise<number> {
  const script = `const s = require('net').createServer().listen(0, '${host}', () => console.log(s.address().port))`;
  const program = spawn(process.execPath, ['-e', script, '--', '--password=canary'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd,
  });
  programs.push(program);
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  return Number(line.toString());
}

describe('ports of a sandbox', () => {
  let sandbox: TestSandbox;
  const programs: ChildProcess[] = [];
  beforeEach(() => (sandbox = new TestSandbox()));
  afterEach(() => {
    for (const one of programs.splice(0)) one.kill();
    sandbox.dispose();
  });
  const list = () => listeningPorts({ workspace: sandbox.workspace, workingDir: sandbox.at('work') });

  it('are listed by BusyBox, too', async function () {
    const others = otherShells();
    const shell = others.shells.get('BusyBox') ?? this.skip();
    const port = await listen('0.0.0.0', programs);
    sandbox.dispose();
    sandbox = new TestSandbox(shell);
    const found = await list();
    others.dispose();
    assert.deepEqual(
      found.find((one) => one.port === port),
      { port, isOpen: true, program: 'node', isInFolder: false },
    );
  });

  it('are listed with their programs, without options, and whether they are open', async () => {
    const [closed, open, six] = [
      await listen('127.0.0.1', programs),
      await listen('0.0.0.0', programs),
      await listen('::1', programs),
    ];
    const found = await list();
    const of = (port: number) => found.find((one) => one.port === port);
    assert.deepEqual(of(closed), { port: closed, isOpen: false, program: 'node', isInFolder: false });
    assert.deepEqual(of(open), { port: open, isOpen: true, program: 'node', isInFolder: false });
    assert.deepEqual(of(six), { port: six, isOpen: false, program: 'node', isInFolder: false });
    assert.ok(!JSON.stringify(found).includes('canary'));
  });

  it('are known to be of a program that runs in the folder, or below it, whatever its name', async () => {
    const folder = sandbox.at('work/in $(here) *');
    mkdirSync(folder);
    const [below, at, beside] = [
      await listen('127.0.0.1', programs, folder),
      await listen('127.0.0.1', programs, sandbox.at('work')),
      await listen('127.0.0.1', programs, sandbox.at('.')),
    ];
    const all = await list();
    const isIn = (port: number) => all.find((one) => one.port === port)?.isInFolder;
    assert.deepEqual([isIn(below), isIn(at), isIn(beside)], [true, true, false]);
    assert.ok(all.slice(0, 2).every(({ isInFolder }) => isInFolder));
    const workspace = { execute: sandbox.workspace.execute.bind(sandbox.workspace) };
    const inside = await listeningPorts({ workspace, workingDir: folder });
    assert.deepEqual(
      [below, at].map((port) => inside.find((one) => one.port === port)?.isInFolder),
      [true, false],
    );
  });

  it('leave out those of the server that runs the commands', async () => {
    const own = createServer().listen(0, '127.0.0.1');
    await once(own, 'listening');
    const { port } = own.address() as { port: number };
    assert.ok(!(await list()).some((one) => one.port === port));
    own.close();
  });

  it('are refused where the sandbox can’t tell', async () => {
    const workspace = { execute: () => Promise.resolve({ exitCode: 3, stdout: '', stderr: '' }) };
    const listing = listeningPorts({ workspace, workingDir: '/work' });
    await assert.rejects(listing, (error) => error instanceof Refusal && error.message.includes('in use'));
    const failing = { execute: () => Promise.resolve({ exitCode: 1, stdout: '', stderr: '' }) };
    await assert.rejects(
      listeningPorts({ workspace: failing, workingDir: '/work' }),
      (error) => error instanceof Refusal && error.message.includes('Try again'),
    );
  });

  it('are read from both lists of the kernel, each once, the agent’s own first', () => {
    const text = [
      ...['1435 0100007F 11', '1435 00000000000000000000000000000000 12', '0050 0F02000A 13'],
      ...['1F90 0000000000000000FFFF00000100007F 14', '0016 00000000 15'],
      ...['= 12 node vite', '+ 14 python3 http.server', '= 15', 'odd', '= x'],
    ].join('\n');
    assert.deepEqual(parsePorts(text), [
      { port: 8080, isOpen: false, program: 'python3 http.server', isInFolder: true },
      { port: 80, isOpen: true, program: '', isInFolder: false },
      { port: 5173, isOpen: true, program: 'node vite', isInFolder: false },
    ]);
    assert.deepEqual(parsePorts(''), []);
    // In whatever order a program that listens twice is listed.
    const twice = ['1435 00000000000000000000000000000000 12', '1435 0100007F 11', '+ 12 node'].join('\n');
    assert.deepEqual(parsePorts(twice), [{ port: 5173, isOpen: true, program: 'node', isInFolder: true }]);
  });

  it('are open unless they listen only on an address of the computer itself', () => {
    const isOpen = (address: string) => parsePorts(`1435 ${address} 11`)[0]?.isOpen;
    const mapped = '0000000000000000FFFF0000';
    for (const address of [
      ...['0100007F', '0200017F', `${mapped}0100007F`, '00000000000000000000FFFF0100007F'],
      ...['00000000000000000000000001000000', '00000000000000000000000000000001'],
    ])
      assert.equal(isOpen(address), false, address);
    for (const address of [
      ...['00000000', '7F000001', '0100007E', `${mapped}00000000`, `${mapped}7F000001`],
      // These end or begin like one.
      ...['B80D012000000000000000000100007F', '0100007F000000000000000001000000'],
      ...[
        '20010DB8000000000000000000000001',
        '00000000000000000000000002000000',
        'F'.repeat(24) + '0100007F',
      ],
    ])
      assert.equal(isOpen(address), true, address);
  });

  it('are of the server itself where it exposes itself, its desktop, or its editor, whose address has a key', () => {
    const exposed = [
      { name: 'VSCODE', url: 'https://code.example/?tkn=canary', port: 8001 },
      { name: 'AGENT_SERVER', url: 'https://agent.example/', port: 8000 },
      { name: 'VNC', url: 'https://desktop.example/', port: 8002 },
      { name: 'WORKER_1', url: 'https://box.example/', port: 8011 },
    ];
    assert.deepEqual(
      [8001, 8000, 8002, 8011, 5173].map((port) => isOfServer(port, exposed)),
      [true, true, true, false, false],
    );
    assert.equal(isOfServer(8001, null), false);
  });

  it('can be reached on this computer, or as far as they are exposed and open', () => {
    const port = { port: 8011, isOpen: true, program: '', isInFolder: false };
    const exposed = [
      { name: 'WORKER_1', url: 'https://box.example/', port: 8011 },
      { name: 'WORKER_2', url: 'file:///etc/passwd', port: 8012 },
    ];
    const reach = (number: number, isOpen: boolean, isHere = false) =>
      reachOf({ ...port, port: number, isOpen }, isHere, exposed);
    assert.deepEqual(reach(8011, true), { kind: 'exposed', url: new URL('https://box.example/') });
    assert.deepEqual(reach(8011, false), { kind: 'closed' });
    assert.deepEqual(reach(8011, false, true), { kind: 'here', url: new URL('http://127.0.0.1:8011/') });
    for (const number of [8012, 8013]) assert.deepEqual(reach(number, true), { kind: 'none' });
    assert.deepEqual(reachOf(port, false, null), { kind: 'none' });
  });
});
