import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { createLimiter } from '../../../src/api/http/limiter';
import { createClient } from '../../../src/api/service/client';
import { Refusal } from '../../../src/core/basics/refusal';
import { addressOf, placeOf } from '../../../src/features/targets/model/changePlace';
import type { ChangedFile } from '../../../src/features/sandboxChanges/model/changeSet';
import { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { readChanges, resumeAndRead } from '../../../src/features/changes/model/readChanges';
import { ShownChanges } from '../../../src/features/changes/model/shownChanges';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { onceRead } from '../../../src/features/live/model/onceRead';
import type { Release } from '../../service/agent/release';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { hastyClock } from '../api/support/client';
import { conversationPorts } from '../../support/builders/ports';
import { aResult, anAction } from '../transcript/events';
import { TestSandbox } from '../changes/support';

const id = '0123456789abcdef0123456789abcdef';
const never = new AbortController().signal;
const list = (files: readonly ChangedFile[]) => files.map(({ kind, path }) => `${kind} ${path}`);

/** Nothing is held: addresses name no service. */
const shows = (model: (id: string) => LiveConversation | undefined) => ({
  model,
  hold: () => assert.fail('no service is named'),
});

describe('what the changes of a conversation are made from', () => {
  let sandbox: TestSandbox;
  let waking: (() => void)[];
  let loaded: (AbortSignal | undefined)[];
  let events: AgentEvent[];
  beforeEach(() => {
    sandbox = new TestSandbox();
    [waking, loaded, events] = [[], [], []];
  });
  afterEach(() => sandbox.dispose());

  const changes = () =>
    new ConversationChanges({
      reachPlace: (whileWaking) => {
        if (whileWaking) waking.push(whileWaking);
        return Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at('work') });
      },
      loadAll: (signal) => {
        loaded.push(signal);
        events = edits();
        return Promise.resolve();
      },
      events: () => events,
      began: () => ({ repository: 'acme/shop', branch: 'feature/x', at: null }),
      mask: (text) => text.replaceAll('canary', '•••'),
    });
  const action = anAction('FileEditorAction', { command: 'create' });
  const result = { kind: 'FileEditorObservation', path: '/work/shop/a', before: null, after: '1' };
  const edits = () => [action, aResult(action, result)];
  /** A clone whose branch `feature/x` is ahead of the default branch; returns its commit. */
  const feature = () => {
    sandbox.create('origin', { a: '1' });
    sandbox.git('origin', 'checkout', '--quiet', '-b', 'feature/x');
    sandbox.commit('origin', 'Feature');
    sandbox.git('origin', 'checkout', '--quiet', 'main');
    sandbox.git('', 'clone', '--quiet', '--branch=feature/x', 'origin', 'work/shop');
    sandbox.write('work/shop/a', '2');
    return sandbox.git('origin', 'rev-parse', 'feature/x');
  };

  it('are against the branch that it began on, of all repositories and of one', async () => {
    const base = feature();
    const [all, ...more] = await changes().repositories();
    assert.deepEqual([all?.changes.repository.base, more], [base, []]);
    const { repository, files } = await (await changes().repository(sandbox.at('work/shop'))).list();
    assert.equal(repository.base, base);
    assert.deepEqual(list(files), ['modified a']);
    assert.deepEqual(waking, []);
  });

  it('wake the sandbox only if that is asked for', async () => {
    feature();
    const wake = () => undefined;
    await changes().repositories(never, wake);
    assert.equal((await changes().place(wake)).workingDir, sandbox.at('work'));
    await changes().place();
    assert.deepEqual(waking, [wake, wake]);
  });

  it('are refused where there is no repository', async () => {
    await assert.rejects(changes().repositories(), Refusal);
  });

  it('are put together from all events, or from those of one step', async () => {
    const { repository, files } = await (await changes().fromEvents(never)).list();
    assert.deepEqual([repository.name, list(files), loaded], ['shop', ['added a'], [never]]);
    const step = await (await changes().ofStep(action.id)).list();
    assert.deepEqual([step.repository.name, list(step.files)], ['shop', ['added a']]);
    assert.deepEqual((await (await changes().ofStep('other')).list()).files, []);
  });

  it('leave the editor without known secrets', () => {
    assert.equal(changes().mask('a canary'), 'a •••');
  });
});

describe('changes of a conversation', () => {
  let service: ReferenceService;
  let model: LiveConversation;
  afterEach(async () => {
    model.dispose();
    await service.close();
  });

  async function start(agents: Release): Promise<void> {
    service = await startService({ profile: 'observed', agents });
    service.state.sandboxes.set('box', makeSandbox({ id: 'box', session_api_key: 'sandbox-key-1' }));
    const about = { sandbox_id: 'box', selected_repository: 'acme/shop', execution_status: 'finished' };
    service.state.conversations.set(id, makeConversation({ id, ...about }));
    model = open();
  }

  function open(): LiveConversation {
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    const client = createClient({ ...options, baseUrl: service.url, sessionKey: service.sessionKey });
    return new LiveConversation(id, conversationPorts(client, options));
  }

  const read = () => readChanges(model, never);
  const pause = () => {
    service.state.sandboxes.get('box')!.status = 'PAUSED';
  };

  for (const release of ['1.7.1', '1.15.0', '1.58.0'] as const) {
    it(`come from git in its sandbox, commands included (${release})`, async () => {
      await start(release);
      const all = await read();
      assert.equal(all?.limit, undefined);
      assert.deepEqual(list(all?.repositories[0]?.changes.files ?? []), [
        'renamed docs/install.md',
        'modeChanged scripts/release',
        'modified src/slug.py',
        'added tests/data/slugs.bin',
      ]);
      assert.equal(all?.repositories[0]?.changes.repository.remote, 'https://github.com/acme/shop.git');
    });
  }

  it('come from its events while the sandbox is paused, and from git once it is resumed', async () => {
    await start('1.58.0');
    pause();
    const all = await read();
    assert.equal(all?.limit, 'asleep');
    const [first] = all.repositories;
    assert.deepEqual(
      [first?.changes.complete, ...list(first?.changes.files ?? [])],
      [false, 'modified src/slug.py'],
    );
    let woken = 0;
    const whole = await resumeAndRead(model, never, () => (woken += 1));
    assert.equal(whole.repositories[0]?.changes.files.length, 4);
    assert.equal(woken, 1);
  });

  it('come from its events once the sandbox is gone', async () => {
    await start('1.58.0');
    await read();
    service.state.sandboxes.delete('box');
    const all = await read();
    assert.equal(all?.limit, 'gone');
    assert.deepEqual(list(all.repositories[0]?.changes.files ?? []), ['modified src/slug.py']);
  });

  it('are those of its event for one step', async () => {
    await start('1.58.0');
    await onceRead(model, never, () => Promise.resolve());
    const step = model.entries.find((entry) => entry.kind === 'step' && entry.detail.step === 'edit');
    const { files } = await (await model.changes.ofStep(step!.id)).list();
    assert.deepEqual(list(files), ['modified src/slug.py']);
    assert.deepEqual((await (await model.changes.ofStep('other')).list()).files, []);
  });

  it('are shown as text, and in words where there is none, after a reload, too', async () => {
    await start('1.58.0');
    const all = await read();
    const { changes, source } = all!.repositories[0]!;
    const origin = { conversation: id, from: 'sandbox' as const, root: changes.repository.root };
    const shown = new ShownChanges(shows((one) => (one === id ? model : undefined)));
    const reloaded = new ShownChanges(shows((one) => (one === id ? model : undefined)));
    shown.add(origin, source);
    const told = async (of: ShownChanges, path: string, side: 'before' | 'after') => {
      const file = changes.files.find((one) => one.path === path)!;
      const address = addressOf(origin, file, side)!;
      return Buffer.from(await of.read(placeOf(address)!)).toString('utf8');
    };
    for (const one of [shown, reloaded]) {
      assert.match(await told(one, 'src/slug.py', 'before'), /\[\^a-z\]\+/);
      assert.match(await told(one, 'src/slug.py', 'after'), /\[\^a-z0-9\]\+/);
      assert.match(await told(one, 'tests/data/slugs.bin', 'after'), /^Binary file, 512 bytes/);
      assert.equal(await told(one, 'scripts/release', 'after'), 'File mode 100755\n');
    }
    const renamed = changes.files.find(({ kind }) => kind === 'renamed')!;
    assert.equal(addressOf(origin, renamed, 'before')?.path, '/docs/setup.md');
    assert.equal(addressOf(origin, renamed, 'after')?.path, '/docs/install.md');
    const added = changes.files.find(({ kind }) => kind === 'added')!;
    assert.equal(addressOf(origin, added, 'before'), undefined);
    const large = { ...renamed, after: { oid: '', mode: '100644' as const, size: 5 } };
    assert.match(
      Buffer.from(await shown.read(placeOf(addressOf(origin, large, 'after')!)!)).toString(),
      /too large to show \(5 bytes\)/,
    );
    const stranger = new ShownChanges(shows(() => undefined));
    await assert.rejects(told(stranger, 'src/slug.py', 'after'), /another service/);
  });

  it('are shown from its events after a reload, too, as a whole and of one step', async () => {
    await start('1.58.0');
    pause();
    await read();
    const step = model.entries.find((entry) => entry.kind === 'step' && entry.detail.step === 'edit')!;
    const { files, repository } = await (await model.changes.ofStep(step.id)).list();
    for (const from of ['events', { step: step.id }] as const) {
      model.dispose();
      model = open();
      const shown = new ShownChanges(shows(() => model));
      const address = addressOf({ conversation: id, from, root: repository.root }, files[0]!, 'after')!;
      assert.match(Buffer.from(await shown.read(placeOf(address)!)).toString(), /\[\^a-z0-9\]\+/);
    }
  });

  it('aren’t found by forged addresses', () => {
    model = { dispose: () => undefined } as unknown as LiveConversation;
    service = { close: () => Promise.resolve() } as unknown as ReferenceService;
    for (const query of ['', '{', '{}', 'null', '[]', '{"conversation":"a"}'])
      assert.equal(placeOf({ query }), undefined);
  });
});
