import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { Limit } from '../../../src/shared/transcript';
import { Refusal } from '../../../src/core/basics/refusal';
import type { ChangedFile, ReadChanges } from '../../../src/features/sandboxChanges/model/changeSet';
import type { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { nothingWords } from '../../../src/features/changes/commands/incompleteWords';
import { mayBeMissing, readChanges } from '../../../src/features/changes/model/readChanges';
import { FakeModel } from '../../support/conversation/fakeModel';

const never = new AbortController().signal;
const file: ChangedFile = { path: 'a', kind: 'added', before: null, after: null };

function repository(name: string, ...files: ChangedFile[]): ReadChanges {
  const changes = {
    repository: { root: `/${name}`, name, remote: null, base: null, head: null },
    files,
    complete: true,
  };
  return { changes, source: { list: () => Promise.resolve(changes), content: () => assert.fail() } };
}

describe('reading the changes of a conversation', () => {
  /** A conversation that is followed, whose sandbox answers so. */
  function model(
    found: ReadChanges[] | Error,
    limit: Limit,
    fromEvents = repository('events', file),
    branches: string[] = [],
  ) {
    const fake = new FakeModel();
    fake.set({ head: { limit, readAt: 1 } });
    fake.keepCurrent();
    fake.changes = {
      branches: () => Promise.resolve(branches),
      repositories: () => (Array.isArray(found) ? Promise.resolve(found) : Promise.reject(found)),
      fromEvents: () => Promise.resolve(fromEvents.source),
    } as unknown as ConversationChanges;
    return fake;
  }
  const names = (all: Awaited<ReturnType<typeof readChanges>>) =>
    all && [all.limit, ...all.repositories.map(({ changes }) => changes.repository.name)];

  it('leaves out repositories without any', async () => {
    const found = [repository('one', file), repository('none'), repository('two', file)];
    assert.deepEqual(names(await readChanges(model(found, 'none'), never)), [undefined, 'one', 'two']);
  });

  it('is sure that there is nothing only if everything could be read', async () => {
    const partly = repository('partly');
    Object.assign(partly.changes, { complete: false, unread: ['a', 'b'] });
    const whole = await readChanges(model([repository('one')], 'none'), never);
    assert.deepEqual([whole?.repositories, whole?.isWhole, whole?.unread], [[], true, []]);
    for (const others of [[], [repository('none')], [repository('some', file), partly]]) {
      const all = await readChanges(model([partly, ...others], 'none'), never);
      assert.equal(all?.isWhole, false);
      assert.deepEqual(all.unread, ['a', 'b']);
      assert.ok(all.repositories.every(({ changes }) => changes.files.length > 0));
    }
    const events = await readChanges(model(new Refusal('No.'), 'gone', repository('events')), never);
    assert.equal(events?.isWhole, false);
  });

  it('isn’t sure that there is nothing where what was committed doesn’t show', async () => {
    const unsure = (...files: ChangedFile[]) => {
      const one = repository('unsure', ...files);
      one.changes.repository.basis = 'unsure';
      return one;
    };
    const read = async (...found: ReadChanges[]) => {
      const all = await readChanges(model(found, 'none'), never);
      return [all?.isWhole, all && mayBeMissing(all)];
    };
    assert.deepEqual(await read(unsure()), [false, true]);
    assert.deepEqual(await read(unsure(), repository('one')), [false, true]);
    assert.deepEqual(await read(unsure(), repository('one', file)), [false, true]);
    // Of those that are shown, it’s said with them.
    assert.deepEqual(await read(unsure(file)), [true, false]);
  });

  it('names branches that have more, where it would say that there is nothing', async () => {
    const read = async (...found: ReadChanges[]) => {
      const all = await readChanges(model(found, 'none', undefined, ['fix']), never);
      return [all?.branches, all?.isWhole];
    };
    assert.deepEqual(await read(repository('one'), repository('two')), [['fix'], false]);
    assert.deepEqual(await read(repository('one'), repository('two', file)), [[], true]);
    const partly = repository('partly');
    Object.assign(partly.changes, { complete: false });
    assert.deepEqual(await read(partly), [[], false]);
  });

  it('takes those of its events where the sandbox is out of reach', async () => {
    for (const limit of ['asleep', 'gone', 'unreachable', 'refused'] as const) {
      const apart = model(new Refusal('No.'), limit);
      assert.deepEqual(names(await readChanges(apart, never)), [limit, 'events']);
    }
    const empty = model(new Refusal('No.'), 'asleep', repository('events'));
    assert.deepEqual(names(await readChanges(empty, never)), ['asleep']);
  });

  it('fails where it’s within reach, or with another reason', async () => {
    for (const limit of ['none', 'busy'] as const)
      await assert.rejects(readChanges(model(new Refusal('Broken.'), limit), never), /Broken/);
    const failed = new ApiError('timeout', 'GET', '/');
    await assert.rejects(readChanges(model(failed, 'asleep'), never), failed);
  });

  it('ends with its signal while the sandbox is asked, and while older events are read', async () => {
    for (const found of [[repository('one', file)], new Refusal('No.')]) {
      const life = new AbortController();
      const slow = model(found, 'asleep');
      const { source } = repository('events', file);
      const asked = Array.isArray(found)
        ? { repositories: () => (setImmediate(() => life.abort()), new Promise(() => undefined)) }
        : { fromEvents: () => (life.abort(), Promise.resolve(source)) };
      Object.assign(slow.changes, asked);
      assert.equal(await readChanges(slow, life.signal), undefined);
    }
  });

  it('ends with its signal while the conversation is read', async () => {
    const life = new AbortController();
    const unread = model(new Refusal('No.'), 'asleep');
    unread.holders = 0;
    unread.keepCurrent = () => {
      setImmediate(() => life.abort());
      return { dispose: () => undefined };
    };
    assert.equal(await readChanges(unread, life.signal), undefined);
  });

  it('names the first branch with new commits where the editor cuts a notice', () => {
    assert.match(nothingWords(['keep-digits', 'fix/ü']).slice(0, 50), /keep-digits, /);
  });
});
