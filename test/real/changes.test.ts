import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { LocalGit } from '../../src/features/start/commands/localGit';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { blobHash } from '../../src/features/sandboxChanges/model/blobHash';
import type { SandboxPlace } from '../../src/features/sandboxChanges/model/conversationChanges';
import { deliver } from '../../src/features/changes/model/delivering';
import type { ReadChanges } from '../../src/features/sandboxChanges/model/changeSet';
import { planChanges } from '../../src/features/changes/model/planning';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import { settled } from '../support/settled';
import { TestSandbox } from '../unit/changes/support';
import { apply, edited, edits, read, tree, write } from '../unit/changes/trees';
import { startBesideOthers, useModel, writingStep } from './support/conversations';
import { follow, until } from './support/followed';
import { withSandboxes } from './support/releases';
import { real, realClient, realSuite } from './support/suite';

const never = new AbortController().signal;

realSuite('an agent’s changes', withSandboxes, function () {
  this.timeout(300_000);
  let model: LiveConversation;
  let place: SandboxPlace;
  let local: TestSandbox;
  const committed = {
    'a.txt': '1\n2\n3\n',
    'crlf.txt': '1\r\n2\r\n3',
    'deep/er/gone.txt': 'gone\n',
    'old name.txt': Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join(''),
    'run.sh': '#!/bin/sh\n',
  };

  const shell = async (command: string, cwd = `${place.workingDir}/shop`) => {
    // While git ran here, this process didn’t see which idle connections the server closed.
    await settled();
    const { exitCode, stdout, stderr } = await place.workspace.execute({ command, cwd });
    assert.equal(exitCode, 0, stderr);
    return stdout;
  };
  const upload = (name: string, content: Uint8Array) =>
    place.workspace.upload(`${place.workingDir}/shop/${name}`, content);
  const shop = async (): Promise<ReadChanges> => {
    const all = await model.changes.repositories(never);
    const found = all.find(({ changes }) => changes.repository.root.endsWith('/shop'));
    return found ?? assert.fail('the repository isn’t found');
  };
  const fresh = async () => {
    await shell(`rm -rf shop && git clone --quiet '${local.at('origin')}' shop`, place.workingDir);
  };

  before(async () => {
    local = new TestSandbox();
    local.create('origin', committed);
    local.git('', 'clone', '--quiet', 'origin', 'here');
    await useModel();
    real().model.script(writingStep('changes.txt', 'by the agent'));
    const id = await startBesideOthers(realClient(), 'Write the file.');
    model = follow(id, await createOpenSocket({}, undefined));
    model.keepCurrent();
    await until(model, ({ execution }) => execution === 'finished');
    place = await model.changes.place();
  });
  after(() => {
    model.dispose();
    local.dispose();
  });

  it('are listed and read byte for byte, without changing anything', async () => {
    await fresh();
    const binary = Buffer.from(Uint8Array.from({ length: 512 }, (_, index) => index % 256));
    const edited = Buffer.from('1\r\ntwo\n3');
    await upload('new/ünï "q"; $(x).bin', binary);
    await upload('crlf.txt', edited);
    await shell(`rm deep/er/gone.txt; chmod +x run.sh; git mv 'old name.txt' 'new name.txt'`);
    const state = () =>
      shell(
        'git --no-optional-locks status --porcelain; sha1sum .git/index; find . -type f | sort | xargs -d "\n" ls -l',
      );
    const before = await state();
    const { source, changes } = await shop();
    const { files, complete, repository } = changes;
    assert.equal(complete, true);
    assert.equal(repository.base, local.git('origin', 'rev-parse', 'HEAD'));
    assert.deepEqual(Object.fromEntries(files.map(({ path: at, kind }) => [at, kind])), {
      'crlf.txt': 'modified',
      'deep/er/gone.txt': 'deleted',
      'new name.txt': 'renamed',
      'new/ünï "q"; $(x).bin': 'added',
      'run.sh': 'modeChanged',
    });
    const contentOf = async (name: string, side: 'before' | 'after') => {
      const version = files.find(({ path: at }) => at === name)?.[side];
      assert.ok(version, name);
      return Buffer.from(await source.content(version));
    };
    assert.deepEqual(await contentOf('new/ünï "q"; $(x).bin', 'after'), binary);
    assert.deepEqual(await contentOf('crlf.txt', 'after'), edited);
    assert.equal((await contentOf('crlf.txt', 'before')).toString(), committed['crlf.txt']);
    assert.equal((await contentOf('deep/er/gone.txt', 'before')).toString(), committed['deep/er/gone.txt']);
    assert.equal(await state(), before);
  });

  it('arrive intact, whatever the files contain', async () => {
    const name = fc.constantFrom('a.txt', 'b b.ts', 'deep/er/c.js', 'ü/é.md', '-rf', "it's", '$HOME', '#1');
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(fc.constantFrom('alpha', '', 'ünï\r', '日本'), { maxLength: 8 })
        .map((lines) => Buffer.from(lines.join('\n'))),
    );
    const files = fc.dictionary(name, content, { minKeys: 1, maxKeys: 6, noNullPrototype: true });
    // Each name is once in the repository’s own folder, where one such as `-rf` would be an option.
    const outside = new Set<string>();
    const put = fc
      .sample(files, { numRuns: 20, seed: 20260101 })
      .flatMap((one, index) => Object.entries(one).map(([at, bytes]) => ({ at, index, bytes })))
      .map(({ at, index, bytes }) => {
        const isOutside = !outside.has(at);
        outside.add(at);
        return { at: isOutside ? at : `${index}/${at}`, bytes };
      });
    for (const { at, bytes } of put) local.write(`put/${at}`, bytes);
    execFileSync('tar', ['-cf', local.at('put.tar'), '.'], { cwd: local.at('put') });
    await place.workspace.upload(`${place.workingDir}/put.tar`, readFileSync(local.at('put.tar')));
    await shell('git clean -fdxq && git checkout -q . && tar -xf ../put.tar');
    const { source, changes } = await shop();
    await Promise.all(
      put.map(async ({ at, bytes }) => {
        const version = changes.files.find((file) => file.path === at)?.after;
        assert.ok(version, at);
        assert.deepEqual(Buffer.from(await source.content(version)), Buffer.from(bytes), at);
      }),
    );
    assert.ok(put.length > 60 && outside.size === 8, `${put.length} contents, ${outside.size} names`);
  });

  for (const checkout of ['LF', 'CRLF'] as const) {
    it(`are applied unaltered to a checkout with ${checkout}, in 25 cases`, async () => {
      const one = fc.tuple(tree, edits).map(([base, changes]) => ({ base, theirs: edited(base, changes) }));
      const cases = fc.sample(one, { numRuns: 25, seed: 20260102 });
      const folders = (side: 'base' | 'theirs') =>
        Object.fromEntries(
          cases.flatMap((sides, index) =>
            Object.entries(sides[side]).map(([at, content]) => [`${index}/${at}`, content]),
          ),
        );
      const origin = `many ${checkout}`;
      local.create(origin, {});
      const store = (side: 'base' | 'theirs') => {
        for (const name of readdirSync(local.at(origin)))
          if (name !== '.git') rmSync(local.at(origin, name), { recursive: true });
        write(local.at('files'), folders(side));
        cpSync(local.at('files'), local.at(origin), { recursive: true });
      };
      store('base');
      local.commit(origin, 'Base');
      const autocrlf = `core.autocrlf=${checkout === 'CRLF' ? 'true' : 'false'}`;
      local.git('', '-c', autocrlf, 'clone', '--quiet', origin, `here ${checkout}`);
      await shell(`rm -rf shop && git clone --quiet '${local.at(origin)}' shop`, place.workingDir);
      store('theirs');
      execFileSync('tar', ['--exclude=.git', '-cf', local.at('theirs.tar'), '.'], { cwd: local.at(origin) });
      await shell(`find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +`);
      await place.workspace.upload(`${place.workingDir}/theirs.tar`, readFileSync(local.at('theirs.tar')));
      await shell('tar -xf ../theirs.tar');

      const { source, changes } = await shop();
      const here = local.at(`here ${checkout}`);
      const target = { read: (at: string) => Promise.resolve(read(here, at)), windows: false };
      const content = source.content.bind(source);
      const plan = await planChanges(changes, content, target, () => undefined);
      for (const change of plan.changes.toSorted((a) => (a.after === null ? -1 : 1)))
        await apply(here, change);
      const named = new Set([
        ...plan.refused.map(({ path: at }) => at),
        ...plan.changes.flatMap(({ path: at, conflicts }) => (conflicts > 0 ? [at] : [])),
      ]);
      const hash = (bytes: Uint8Array) =>
        blobHash(
          checkout === 'LF'
            ? bytes
            : Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
        );
      const theirs = folders('theirs');
      let compared = 0;
      for (const [at, { content: bytes, executable }] of Object.entries(theirs)) {
        if (named.has(at)) continue;
        const now = read(here, at);
        assert.ok(now && 'content' in now, at);
        assert.deepEqual([hash(now.content), now.executable], [hash(bytes), executable], at);
        compared += 1;
      }
      for (const at of Object.keys(folders('base')))
        if (!(at in theirs) && !named.has(at)) assert.equal(read(here, at), null, at);
      assert.ok(compared > 50 && named.size < compared / 5, `${compared} alike, ${named.size} named`);
    });
  }

  it('are sent with matching hashes, even when sent twice', async () => {
    await fresh();
    local.write('here/committed.txt', 'committed\n');
    local.commit('here', 'Not pushed');
    local.write('here/crlf.txt', '1\r\ntwo\r\n3');
    local.write('here/x.bin', Buffer.from([0, 13, 10, 255]));
    local.write('here/new/ünï "q".txt', 'untracked');
    chmodSync(local.at('here/run.sh'), 0o755);
    rmSync(local.at('here/deep/er/gone.txt'));
    const git = new LocalGit('git', local.at('here'));
    const { base, branch, files } = await git.outgoing('origin', 'origin/main', never);
    const { content, tree } = await git.patch(base, files, never);
    const parcel = { id: 'real', repository: 'me/shop', base, branch, tree };
    const send = () =>
      deliver(
        parcel,
        content,
        () => Promise.resolve(place),
        () => undefined,
        never,
      );
    await send();
    await send();
    for (const name of ['crlf.txt', 'x.bin', 'new/ünï "q".txt', 'committed.txt'])
      assert.equal(
        await shell(`sha1sum < '${name}'`),
        await shell(`sha1sum < '${local.at('here', name)}'`),
        name,
      );
    assert.equal(
      await shell(`test -x run.sh && test ! -e deep/er/gone.txt && git rev-parse HEAD`),
      `${base}\n`,
    );
  });
});
