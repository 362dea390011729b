import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { createOpenSocket } from '../../src/editor/networkFetch';
import { planChanges } from '../../src/features/changes/model/planning';
import { type AllChanges, readChanges } from '../../src/features/changes/model/readChanges';
import { comparedDifference } from '../../src/features/compare/model/difference';
import { isSameRepository } from '../../src/features/compare/model/sameRepository';
import { ComparisonHost } from '../../src/features/compare/panel/host';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import { attemptChoice, type Attempts, type Variant } from '../../src/features/start/model/attempts';
import type { ConversationChoice } from '../../src/features/start/model/choice';
import type { StartTasks } from '../../src/features/start/model/startTasks';
import type { ComparedAttempt, ToComparison } from '../../src/shared/comparison';
import { TestSandbox } from '../unit/changes/support';
import { apply, read } from '../unit/changes/trees';
import type { FlatClient } from '../support/builders/client';
import { agentIn, startsOfAttempts } from './support/attempts';
import { until as poll, useModel } from './support/conversations';
import { follow } from './support/followed';
import { real, realClient, realSuite } from './support/suite';

/** Nothing here is canceled. */
const never = () => new AbortController().signal;

/** What the attempts leave, as the shell writes it: each has another slug, and one fails its check. */
const made = [
  { slug: String.raw`one\r\n\377\000end`, check: 'exit 0' },
  { slug: String.raw`two\n`, check: 'exit 3' },
  { slug: String.raw`three`, check: 'exit 0' },
] as const;

/** Sandboxes take long to start, so one release with some is enough. */
const generations = real().release.version === '1.11.0' ? (['current'] as const) : (['agentServer'] as const);

realSuite('attempts at one message', generations, function () {
  this.timeout(300_000);
  // Each goes on with what the one before has left.
  this.bail(true);
  const isServer = real().release.generation === 'agentServer';
  const group = randomUUID();
  let client: FlatClient;
  let local: TestSandbox;
  let starts: StartTasks;
  let attempts: Attempts;
  let models: LiveConversation[] = [];
  let shown: readonly ComparedAttempt[] = [];

  /** The changes of an attempt: sandboxes of services share a folder on this computer, so there are those of others, too. */
  const changesOf = async (model: LiveConversation | undefined, at: number): Promise<AllChanges> => {
    const all = await readChanges(model ?? assert.fail(), never());
    assert.ok(all);
    if (isServer) return all;
    return {
      ...all,
      repositories: all.repositories.filter(
        ({ changes: { repository } }) => repository.name === `shop-${at}`,
      ),
    };
  };

  /** The choice for all of them, and one for an attempt that can’t start. */
  async function choices(): Promise<{ good: ConversationChoice; bad: ConversationChoice }> {
    if (!isServer) {
      await useModel();
      const good = { place: { kind: 'new' } } as const;
      return { good, bad: { place: { kind: 'new', specId: 'no-such-image:1' } } };
    }
    const agent = await agentIn(client, local.at('shop'));
    const place = { kind: 'default' } as const;
    const unknown = { ...agent, profile: { ...agent.profile, id: randomUUID(), name: 'no-such-agent' } };
    return { good: { place, agent }, bad: { place, agent: unknown } };
  }

  before(async () => {
    client = realClient();
    await checkConnection(client);
    local = new TestSandbox();
    local.create('shop', { 'slug.txt': 'none\n', 'old.txt': 'old\n', check: '#!/bin/sh\n. ./.result\n' });
    local.git('', 'clone', '--quiet', 'shop', 'here');
    ({ attempts, starts } = startsOfAttempts());
  });
  after(async () => {
    for (const model of models) {
      model.dispose();
      await client.deleteConversation(model.id, true);
    }
    local.dispose();
  });

  it('start in places of their own, and the others continue when one can’t', async () => {
    const { good, bad } = await choices();
    // Sandboxes of this service share a folder here, so each attempt gets one of its own in there.
    const clone = (at: number) =>
      isServer ? ':' : `git clone --quiet '${local.at('shop')}' shop-${at} && cd shop-${at}`;
    const { model } = real();
    let work: () => void = () => undefined;
    // None goes on before each has asked what to do: the model has one script for all.
    const until = new Promise<void>((resolve) => (work = resolve));
    model.script(
      ...made.map(({ slug, check }, at) => ({
        tool: 'terminal',
        until,
        args: {
          command: `${clone(at)}; printf '${slug}' > slug.txt; rm old.txt; mkdir -p 'ü b'; printf '${slug}' > 'ü b/${check}'; echo '${check}' > .result; sh ./check`,
        },
      })),
    );
    const variants: Variant[] = made.map((_, at) => ({ label: `Attempt ${at + 1}` }));
    const all = [
      ...variants.map((variant) => ({ variant, of: good })),
      { variant: { label: 'Bad' }, of: bad },
    ];
    const begun = all.map(({ variant, of }) => {
      const choice = of === bad ? bad : attemptChoice(of, variant);
      const attempt = { group, label: variant.label };
      return starts.begin({ client, choice, label: 'Mend', message: 'Mend the slug.', attempt });
    });
    const ended = await Promise.allSettled(begun.map((one) => one.ended));
    const asked = () => Promise.resolve(model.asked.length >= made.length || undefined);
    await poll('all attempts ask the model', asked).finally(work);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
      JSON.stringify(starts.of(client.baseUrl)),
    );
    const [failed, ...more] = starts.of(client.baseUrl);
    assert.deepEqual([failed?.attempt?.label, more.length], ['Bad', 0]);
    assert.ok(failed?.failure);
    const openSocket = await createOpenSocket({}, undefined);
    const ids = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    models = ids.map((id) => follow(id, openSocket, client));
    const records = await Promise.all(
      ids.map(async (id) => (await client.getConversation(id)) ?? assert.fail(id)),
    );
    assert.deepEqual(
      records.map((one) => {
        const of = attempts.of(client.baseUrl, one);
        return [of?.group, of?.label];
      }),
      variants.map(({ label }) => [group, label]),
    );
    assert.equal(isSameRepository(records), true);
    const places = records.map(({ folder, sandbox_id: sandbox }) => (isServer ? folder : sandbox));
    assert.equal(new Set(places).size, made.length, places.join(', '));
  });

  it('are compared while they work, each with its changes, checks, and last words', async () => {
    const posted = new Promise<readonly ComparedAttempt[]>((resolve) => {
      const host = new ComparisonHost({
        service: client.baseUrl,
        ids: models.map(({ id }) => id),
        model: (id) => models.find((one) => one.id === id),
        labelOf: (id) => attempts.of(client.baseUrl, { id })?.label ?? '',
        notStarted: () => 0,
        unreached: () => '',
        entitle: () => undefined,
        post: (message: ToComparison) => {
          if (message.type !== 'show') return;
          // What changed may have been read while the agent still worked; it's read again.
          const hasAll = ({ changed }: ComparedAttempt) => changed?.isWhole && changed.files >= 4;
          const isDone = (one: ComparedAttempt) =>
            one.execution === 'finished' && hasAll(one) && one.checks.length > 0 && one.lastWords !== '';
          if (message.attempts.length < models.length || !message.attempts.every(isDone)) return;
          resolve(message.attempts);
          host.dispose();
        },
        act: () => Promise.resolve(),
        log: { warn: () => undefined },
        after: (ms, act) => {
          const timer = setTimeout(act, Math.min(ms, 1_000));
          return { dispose: () => clearTimeout(timer) };
        },
      });
      host.setVisible(true);
      void host.receive({ type: 'ready' });
    });
    shown = await posted;
    assert.deepEqual(
      shown.map(({ isWhole, lastWords }) => [isWhole, lastWords]),
      Array(3).fill([true, 'Done.']),
    );
    const codes = shown.map(({ checks }) => checks.map(({ exitCode, isSure }) => [exitCode, isSure]));
    assert.deepEqual(codes.toSorted(), [[[0, true]], [[0, true]], [[3, true]]]);
    for (const { changed, took, tokens } of shown) {
      assert.ok(changed?.isWhole && (isServer ? changed.files === 4 : changed.files >= 4));
      assert.ok((took ?? 0) > 0 && (tokens ?? 0) > 0);
    }
  });

  it('differ in the files that each left, from the same base', async () => {
    const [one, other] = await Promise.all([changesOf(models[0], 0), changesOf(models[1], 1)]);
    const { files, isSameBase } = comparedDifference(one, other);
    assert.equal(isSameBase, true);
    const names = files.map(({ old, now }) => (now ?? old)?.file.path);
    assert.ok(names.includes('slug.txt') && !names.includes('old.txt'), names.join(', '));
  });

  it('are taken byte for byte', async () => {
    const at = shown.findIndex(({ checks }) => checks[0]?.exitCode === 3);
    const { repositories } = await changesOf(models[at], 1);
    const [found] = repositories;
    assert.ok(found && repositories.length === 1);
    const here = local.at('here');
    const target = { read: (file: string) => Promise.resolve(read(here, file)), windows: false };
    const content = found.source.content.bind(found.source);
    const plan = await planChanges(found.changes, content, target, () => undefined);
    assert.deepEqual([plan.refused, plan.changes.length], [[], 4]);
    for (const change of plan.changes) await apply(here, change);
    assert.equal(read(here, 'old.txt'), null);
    for (const file of ['slug.txt', 'ü b/exit 3']) {
      const taken = read(here, file);
      assert.deepEqual(taken && 'content' in taken && taken.content, Buffer.from('two\n'), file);
    }
    assert.equal(local.git('here', 'status', '--porcelain').split('\n').length, 4);
  });
});
