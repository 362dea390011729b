import assert from 'node:assert/strict';
import { FileRefusal } from '../../src/features/place/model/fileRefusal';
import { hashOf, SandboxFiles } from '../../src/features/place/model/files';
import { realSuite } from './support/suite';
import { openWorkplace, type Workplace } from './support/workplace';

const bytes = (text: string) => new TextEncoder().encode(text);

realSuite('files of a sandbox', ['first', 'current', 'agentServer'], function () {
  this.timeout(300_000);
  let model: Workplace['model'];
  let place: Workplace['place'];
  let shell: Workplace['shell'];
  let files: SandboxFiles;
  const at = (name: string) => `${place.workingDir}/${name}`;
  const text = async (name: string) => Buffer.from(await files.read(at(name))).toString();
  const refused = (work: Promise<unknown>, reason: FileRefusal['reason']) =>
    assert.rejects(work, (error) => error instanceof FileRefusal && error.reason === reason);

  before(async () => {
    ({ model, place, shell } = await openWorkplace());
  });
  beforeEach(() => {
    files = new SandboxFiles(
      () => model.changes.place(),
      () => performance.now(),
    );
  });
  after(() => model.dispose());

  it('are listed and read, with what the agent wrote', async () => {
    assert.equal((await files.list(place.workingDir)).get('by-the-agent.txt')?.kind, 'file');
    assert.match(await text('by-the-agent.txt'), /^by the agent\s*$/);
  });

  it('are created, saved, renamed and deleted, whatever they’re called', async () => {
    for (const name of ['a b', 'new\nline', `q"u'o$te $(x)`, 'ünï 😀 100%', '#?&+', '-rf']) {
      const file = at(`odd/${name}`);
      await files.write(file, bytes('one\r\n'), null);
      await refused(files.write(file, bytes('again'), null), 'exists');
      await files.write(file, bytes(name), hashOf(bytes('one\r\n')));
      assert.equal(await text(`odd/${name}`), name);
    }
    assert.equal((await files.list(at('odd'))).size, 6);
    await files.rename(at('odd'), at('even'), false);
    await refused(files.delete(at('even'), false), 'notEmpty');
    await files.delete(at('even'), true);
    await refused(files.list(at('even')), 'missing');
  });

  it('are saved only over what was read, with their mode and through links', async () => {
    await shell(`printf one > kept.sh; chmod 751 kept.sh; ln -sf kept.sh link.sh`);
    assert.equal(await text('link.sh'), 'one');
    await shell('touch kept.sh');
    await files.write(at('link.sh'), bytes('two'), hashOf(bytes('one')));
    assert.equal(await shell('cat kept.sh; readlink link.sh'), 'twokept.sh');
    assert.match(await shell('ls -l kept.sh'), /^-rwxr-x--x/);
    await shell('printf agent > kept.sh');
    await refused(files.write(at('kept.sh'), bytes('mine'), hashOf(bytes('two'))), 'changed');
    assert.equal(await shell('cat kept.sh'), 'agent');
  });

  it('are left alone outside the folder, and where they’re no files', async () => {
    await shell('ln -sfn / out; [ -p pipe ] || mkfifo pipe');
    await refused(files.write(at('out/tmp/agent-workspace-escape'), bytes('x'), null), 'outside');
    await refused(files.write('/tmp/agent-workspace-escape', bytes('x'), null), 'outside');
    await refused(files.read(at('pipe')), 'noFile');
    await refused(files.write(at('pipe'), bytes('x'), hashOf(bytes(''))), 'noFile');
    await shell('[ ! -e /tmp/agent-workspace-escape ] && rm out pipe');
  });

  it('show what changed since they were listed', async () => {
    await files.list(place.workingDir);
    await shell('printf new > appeared.txt; printf longer-than-before > kept.sh; rm link.sh');
    const changes = await files.refresh(place.workingDir);
    assert.deepEqual(
      changes.map(({ path, kind }) => `${kind} ${path.slice(place.workingDir.length + 1)}`).sort(),
      ['changed kept.sh', 'created appeared.txt', 'deleted link.sh'],
    );
  });

  it('are many, in one request for 20,000', async () => {
    await shell(
      'mkdir thousands; cd thousands; for d in 0 1 2 3 4 5 6 7 8 9; do mkdir $d; (cd $d; seq 2000 | xargs touch); done',
    );
    const begun = performance.now();
    const folders = await files.list(at('thousands'));
    assert.equal(folders.size, 10);
    let calls = 0;
    const { workspace } = place;
    const execute: typeof workspace.execute = (...call) => {
      calls += 1;
      return workspace.execute(...call);
    };
    const counted = new SandboxFiles(
      () => Promise.resolve({ ...place, workspace: { ...workspace, execute } }),
      () => performance.now(),
    );
    await counted.list(at('thousands'));
    const before = calls;
    const all = await Promise.all([...folders.keys()].map((name) => counted.list(at(`thousands/${name}`))));
    assert.equal(
      all.reduce((sum, { size }) => sum + size, 0),
      20_000,
    );
    assert.equal(calls, before);
    console.log(`      20,000 files listed in ${Math.round(performance.now() - begun)} ms`);
    await files.delete(at('thousands'), true);
  });
});
