import assert from 'node:assert/strict';
import { isDecision, separatorTitle } from '../../../src/shared/entryTitles';
import { headSchema } from '../../../src/shared/transcript';
import { Refusal } from '../../../src/core/basics/refusal';
import type { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { Release } from '../../service/agent/release';
import { stream, type ScriptStep } from '../../service/agent/script';
import { exportJson, exportMarkdown } from '../../../src/features/transcript/model/exportText';
import { World } from './world';

const clean: ScriptStep = { act: [{ command: 'git clean -fdx', output: 'Removing build/', risk: 'HIGH' }] };
const look: ScriptStep = { act: [{ command: 'ls', output: 'a', risk: 'LOW' }] };
const releases: Release[] = ['1.7.1', '1.15.0', '1.58.0'];

/** Events of people and agents in a line each. */
const told = (model: LiveConversation) => {
  headSchema.parse(model.head);
  return model.entries.map((entry) => {
    if (entry.kind === 'message') return `${entry.from}: ${entry.text.text}`;
    if (entry.kind === 'separator' && isDecision(entry)) return separatorTitle(entry);
    return entry.kind === 'step' ? `${entry.detail.step} ${entry.state}` : entry.kind;
  });
};

const sentTexts = (world: World) =>
  world.conversation.log.all.flatMap((event) =>
    event.kind === 'MessageEvent' && event.source === 'user'
      ? [(event['llm_message'] as { content: { text: string }[] }).content[0]!.text]
      : [],
  );

describe('a conversation that is followed', () => {
  for (const release of releases) {
    describe(`at release ${release}`, () => {
      it('starts the agent with a message, and shows what it does', async () => {
        const world = new World({ release, script: [{ think: 'Hm.' }, look, { say: 'Done.' }] });
        const model = world.open();
        const holder = model.keepCurrent();
        await world.advance(1_000);
        assert.equal(model.head.sendEffect, 'starts');
        assert.deepEqual(await world.finish(model.send('Go')), { kind: 'done' });
        await world.advance(30_000);
        assert.deepEqual(told(model), ['user: Go', 'think done', 'terminal done', 'agent: Done.']);
        assert.deepEqual(
          [model.head.execution, model.head.outgoing, model.head.limit],
          ['finished', [], 'none'],
        );
        assert.ok((model.head.tokens ?? 0) > 0);
        holder.dispose();
      });

      it('approves exactly what was shown, once', async () => {
        const world = new World({ release, script: [clean, { finish: 'Done.' }] });
        const model = world.open();
        model.keepCurrent();
        await world.finish(model.send('Clean up'));
        await world.advance(5_000);
        const [action] = model.head.pending;
        assert.deepEqual(
          [action?.text, action?.risk, model.head.sendEffect],
          ['git clean -fdx', 'HIGH', 'rejects'],
        );
        const outcomes = await world.finish(
          Promise.all([model.approve([action!.id]), model.approve([action!.id])]),
        );
        assert.deepEqual(
          outcomes.map(({ kind }) => kind),
          ['done', 'refused'],
        );
        assert.deepEqual(model.head.pending, []);
        await world.advance(10_000);
        assert.deepEqual(world.conversation.deeds, [
          { do: 'accept', ids: [action!.id] },
          { do: 'execute', id: action!.id, unasked: false },
        ]);
        assert.deepEqual(told(model).slice(1), ['terminal done', 'You approved 1 action', 'finish done']);
      });

      it('refuses to approve when something else waits', async () => {
        const world = new World({ release, script: [clean] });
        const model = world.open();
        await world.finish(model.send('Clean up'));
        await world.advance(2_000);
        assert.equal((await world.finish(model.approve(['another']))).kind, 'refused');
        assert.equal((await world.finish(model.approve([]))).kind, 'refused');
        assert.deepEqual(world.conversation.deeds, []);
      });

      it('rejects with the user’s words, and then sends them', async () => {
        const world = new World({ release, script: [clean, { say: 'I leave it.' }] });
        const model = world.open();
        model.keepCurrent();
        await world.finish(model.send('Clean up'));
        await world.advance(5_000);
        assert.deepEqual(await world.finish(model.send('Leave my files alone')), { kind: 'done' });
        await world.advance(10_000);
        assert.deepEqual(told(model), [
          'user: Clean up',
          'terminal rejected',
          'You rejected 1 action',
          'user: Leave my files alone',
          'agent: I leave it.',
        ]);
        const step = model.entries[1];
        // The message says it.
        assert.deepEqual(step?.kind === 'step' && [step.state, step.problem.text], ['rejected', '']);
        assert.deepEqual(world.conversation.deeds, []);
      });

      it('sends a message while the agent works without executing what it asks for', async () => {
        const slow: ScriptStep = { act: [{ command: 'make', risk: 'LOW', ms: 8_000 }] };
        const world = new World({ release, script: [slow, clean], modelMs: 500 });
        const model = world.open();
        model.keepCurrent();
        await world.finish(model.send('Build'));
        await world.advance(1_500);
        assert.equal(model.head.sendEffect, release === '1.58.0' ? 'supersedes' : 'joins');
        const sent = model.send('Hurry up');
        await world.advance(40_000);
        assert.deepEqual(await world.finish(sent), { kind: 'done' });
        assert.deepEqual(sentTexts(world), ['Build', 'Hurry up']);
        assert.equal(world.conversation.deeds.filter((deed) => deed.do === 'execute').length, 1);
        await world.advance(20_000);
        assert.equal(model.head.pending.length, 1);
      });

      it('resumes a paused sandbox before it sends', async () => {
        const world = new World({ release, script: [{ say: 'Good morning.' }] });
        world.pauseSandbox();
        const model = world.open();
        model.keepCurrent();
        await world.advance(1_000);
        assert.deepEqual([model.head.limit, model.head.sendEffect], ['asleep', 'resumes']);
        const sent = model.send('Wake up');
        await world.advance(1_000);
        assert.equal(model.head.outgoing[0]?.state, 'resuming');
        assert.deepEqual(await world.finish(sent), { kind: 'done' });
        await world.advance(10_000);
        assert.deepEqual(told(model), ['user: Wake up', 'agent: Good morning.']);
      });

      it('keeps the message and resumes nothing if the user doesn’t agree to what that pauses', async () => {
        const world = new World({ release });
        world.pauseSandbox();
        world.agreesToResume = false;
        const model = world.open();
        model.keepCurrent();
        await world.advance(1_000);
        const outcome = await world.finish(model.send('Wake up'));
        assert.deepEqual(outcome, { kind: 'refused', problem: 'The sandbox wasn’t resumed.' });
        const messages = model.head.outgoing.map(({ state, text }) => [state, text]);
        assert.deepEqual(messages, [['failed', 'Wake up']]);
        assert.ok(world.asked.every(({ what }) => what !== 'service resume'));
      });

      it('asks at most 40 times a minute while the agent works, and 8 while it rests, without a socket', async () => {
        const world = new World({ release, script: stream(400), modelMs: 400 });
        world.server.sockets.closesWith = 4001;
        const model = world.open();
        const holder = model.keepCurrent();
        await world.finish(model.send('Count'));
        await world.advance(20_000);
        world.asked.length = 0;
        await world.advance(60_000);
        assert.equal(model.head.execution, 'running');
        assert.ok(world.asked.length <= 40, `${world.asked.length} while it works`);
        assert.ok(world.asked.length >= 20, `${world.asked.length} while it works`);
        await world.finish(model.pause());
        await world.advance(30_000);
        assert.equal(model.head.execution, 'paused');
        world.asked.length = 0;
        await world.advance(60_000);
        assert.ok(world.asked.length <= 8, `${world.asked.length} while it rests`);
        holder.dispose();
        await world.advance(1_000);
        world.asked.length = 0;
        await world.advance(600_000);
        assert.equal(world.asked.length, 0);
      });

      it('makes no call that freezes the sandbox', async () => {
        const world = new World({ release, script: [...stream(20), clean, ...stream(20)], modelMs: 700 });
        const model = world.open();
        model.keepCurrent();
        await world.finish(model.send('Go'));
        for (let round = 0; round < 10; round += 1) {
          void model.send(`More ${round}`);
          await world.advance(900);
          void model.resume();
          await world.advance(900);
        }
        assert.equal(world.server.freezes, 0);
      });
    });
  }

  it('continues after a message that reached the finished agent too late', async () => {
    const world = new World({ release: '1.7.1', script: [{ say: 'First.' }], modelMs: 3_000 });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('One'));
    await world.advance(500);
    const sent = model.send('Two');
    await world.finish(sent);
    await world.advance(10_000);
    assert.deepEqual(told(model), ['user: One', 'agent: First.', 'user: Two', 'agent: About “Two”: done.']);
  });

  it('holds one events request at a time where reads block, and says so', async () => {
    const slow: ScriptStep = { act: [{ command: 'make', risk: 'LOW', ms: 60_000 }] };
    const world = new World({ release: '1.7.1', script: [slow] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Build'));
    await world.advance(10_000);
    world.asked.length = 0;
    await world.advance(30_000);
    assert.deepEqual([model.head.execution, model.head.limit], ['running', 'busy']);
    const reads = world.asked.filter(({ what }) => what.includes('/events/search'));
    assert.ok(reads.length <= 1);
    assert.ok(world.asked.length > 2, 'the state is still read');
    await world.advance(40_000);
    assert.deepEqual([model.head.execution, model.head.limit], ['finished', 'none']);
  });

  it('looks for a message of unknown fate in the events, and never sends it again', async () => {
    const world = new World({ script: [{ say: 'Yes.' }] });
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    world.faults.push('lostAnswer');
    assert.deepEqual(await world.finish(model.send('Are you there?')), { kind: 'done' });
    world.faults.push('lostRequest');
    assert.equal((await world.finish(model.send('And now?'))).kind, 'unknown');
    await world.advance(60_000);
    const [outgoing] = model.head.outgoing;
    assert.deepEqual([outgoing?.text, outgoing?.state], ['And now?', 'unknown']);
    assert.match(outgoing!.problem, /may have been sent/);
    assert.equal(model.takeBack(outgoing!.id)?.text, 'And now?');
    assert.deepEqual(model.head.outgoing, []);
    assert.deepEqual(sentTexts(world), ['Are you there?']);
  });

  for (const release of ['1.0.0a6', '1.7.1', '1.15.0', '1.49.1', '1.58.0'] as const)
    for (const hasSocket of [true, false])
      it(`finds a message though the server’s clock was set back (${release}, ${hasSocket ? 'its frame lost' : 'no socket'})`, async () => {
        const script = Array.from({ length: 100 }, () => ({ act: [{ command: 'ls' }] }));
        const world = new World({ release, policy: { kind: 'NeverConfirm' }, script, modelMs: 400 });
        const { sockets } = world.server;
        if (!hasSocket) sockets.closesWith = 4001;
        const model = world.open();
        model.keepCurrent();
        await world.advance(2_000);
        world.conversation.message('Go', true);
        await world.advance(20_000);
        const { log } = world.conversation;
        const write = log.write.bind(log);
        log.write = (event) => {
          if (event.kind !== 'MessageEvent' || !JSON.stringify(event).includes('Again')) return write(event);
          sockets.loses = 1;
          return write({ ...event, timestamp: '2020-01-01T00:00:00.000000' });
        };
        const sent = model.send('Again');
        await world.advance(5_000);
        await sent;
        assert.deepEqual([model.head.execution, model.head.outgoing], ['running', []]);
      });

  it('keeps a message that was proven not to be sent, with its text', async () => {
    const world = new World();
    const model = world.open();
    world.faults.push('refused', 'refused', 'refused');
    const outcome = await world.finish(model.send('Hello'));
    assert.equal(outcome.kind, 'refused');
    assert.deepEqual(
      model.head.outgoing.map(({ text, state }) => [text, state]),
      [['Hello', 'failed']],
    );
  });

  it('finds a message that arrives after the sandbox was resumed, also in a reloaded window', async () => {
    const world = new World({ script: [{ say: 'Late.' }] });
    const outbox = { unsent: [] };
    const first = world.open(outbox);
    first.keepCurrent();
    await world.advance(1_000);
    world.onRequest = (method) => {
      if (method === 'POST') world.pauseSandbox();
    };
    const sent = first.send('Into the void');
    await world.advance(100);
    first.dispose();
    await world.finish(sent);
    const second = world.open(outbox);
    second.keepCurrent();
    await world.advance(1_000);
    assert.deepEqual(
      second.head.outgoing.map(({ state }) => state),
      ['unknown'],
    );
    await world.finish(second.resume());
    await world.advance(30_000);
    assert.deepEqual(told(second), ['user: Into the void', 'agent: Late.']);
    assert.deepEqual(second.head.outgoing, []);
  });

  it('offers a question again when the answer was lost, and not before', async () => {
    const world = new World({ script: [clean, { finish: 'Done.' }] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Clean up'));
    await world.advance(5_000);
    const ids = model.head.pending.map(({ id }) => id);
    world.faults.push('lostRequest');
    assert.equal((await world.finish(model.approve(ids))).kind, 'unknown');
    assert.deepEqual(model.head.pending, []);
    assert.equal((await model.approve(ids)).kind, 'refused');
    await world.advance(30_000);
    assert.deepEqual(
      model.head.pending.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(await world.finish(model.approve(ids)), { kind: 'done' });
    await world.advance(10_000);
    assert.equal(world.conversation.deeds.filter((deed) => deed.do === 'execute').length, 1);
  });

  for (const fault of ['refused', 'limited'] as const) {
    it(`approves nothing that somebody else had the agent ask for in between, after it was ${fault}`, async () => {
      const remove: ScriptStep = { act: [{ command: 'rm -rf ~', risk: 'HIGH' }] };
      const world = new World({ script: [clean, remove], modelMs: 1 });
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Clean up'));
      await world.advance(5_000);
      const shown = model.head.pending.map(({ id }) => id);
      world.faults.push(fault);
      const approving = model.approve(shown);
      await world.advance(100);
      world.conversation.reject('No');
      world.conversation.message('Go on', true);
      assert.equal((await world.finish(approving)).kind, 'refused');
      await world.advance(60_000);
      assert.deepEqual(world.conversation.deeds, []);
      assert.deepEqual(
        model.head.pending.map(({ text }) => text),
        ['rm -rf ~'],
      );
    });
  }

  it('approves once when two windows do, though the old state still shows for a second', async () => {
    for (const faults of [[], ['lostAnswer' as const]]) {
      const again: ScriptStep = { act: [{ command: 'git push --force', output: '', risk: 'HIGH' }] };
      const world: World = new World({ release: '1.15.0', script: [clean, again], modelMs: 1_000 });
      const windows = [world.open(), world.open()];
      for (const model of windows) model.keepCurrent();
      await world.finish(windows[0]!.send('Clean up'));
      await world.advance(20_000);
      const { conversation } = world;
      const accept = conversation.accept.bind(conversation);
      // A run of its own, each a moment after the other.
      let lagMs = 600;
      conversation.accept = () => void world.clock.after((lagMs += 200), accept);
      world.faults.push(...faults);
      const ids = windows[0]!.head.pending.map(({ id }) => id);
      await world.finish(Promise.all(windows.map((model) => model.approve(ids))));
      await world.advance(10_000);
      assert.deepEqual(
        conversation.deeds.map((deed) => deed.do),
        ['accept', 'execute'],
      );
      assert.equal(windows[1]!.head.pending[0]?.text, 'git push --force');
    }
  });

  it('continues without approval only once the policy asks for none', async () => {
    const world = new World({ script: [clean, { finish: 'Done.' }] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Clean up'));
    await world.advance(5_000);
    assert.equal((await world.finish(model.resume())).kind, 'refused');
    assert.deepEqual(await world.finish(model.setPolicy('never')), { kind: 'done' });
    await world.advance(5_000);
    assert.equal(model.head.policy, 'never');
    assert.deepEqual(world.conversation.deeds, []);
    assert.deepEqual(await world.finish(model.resume()), { kind: 'done' });
    await world.advance(5_000);
    assert.equal(model.head.execution, 'finished');
  });

  it('starts the agent once with what is sent in a row, though the old state still shows for a moment', async () => {
    const act: ((model: LiveConversation) => Promise<unknown>)[] = [
      (model) => model.send('Clean up'),
      (model) => model.resume(),
    ];
    for (const first of act) {
      const world: World = new World({ release: '1.15.0', script: [clean], modelMs: 1_000 });
      const models = [world.open(), world.open()];
      const { conversation } = world;
      const run = conversation.run.bind(conversation);
      let lagMs = 0;
      conversation.run = () => void world.clock.after((lagMs += 200), run);
      await world.finish(Promise.all([first(models[0]!), models[1]!.send('And then?')]), 20);
      await world.advance(10_000);
      assert.deepEqual([conversation.status, conversation.deeds], ['waiting_for_confirmation', []]);
    }
  });

  it('rejects nothing with a message that was written before the agent asked', async () => {
    for (const release of releases) {
      const world: World = new World({ release, script: [clean] });
      const model = world.open();
      world.conversation.message('Clean up', true);
      await world.advance(20_000);
      await world.finish(model.send('By the way'));
      assert.equal(world.conversation.status, 'waiting_for_confirmation');
      assert.ok(told(model).includes('terminal pending'));
    }
  });

  it('sends no empty message, and approves nothing for an agent that rests', async () => {
    const world = new World();
    const model = world.open();
    assert.equal((await model.send(' \n')).kind, 'refused');
    assert.equal((await world.finish(model.approve(['x']))).kind, 'refused');
    assert.equal((await world.finish(model.reject(['x'], 'No'))).kind, 'refused');
    assert.deepEqual(
      world.asked.filter(({ what }) => what.startsWith('POST')),
      [],
    );
    assert.equal(world.conversation.status, 'idle');
  });

  it('keeps the state that the agent server reported, although the store is behind', async () => {
    const slow: ScriptStep = { act: [{ command: 'make', risk: 'LOW', ms: 60_000 }] };
    const world = new World({ release: '1.7.1', script: [{ say: 'First.' }, slow] });
    world.conversation.message('One', true);
    await world.advance(1_000);
    world.stored = world.conversation.log.all.length;
    world.conversation.message('Two', true);
    await world.advance(1_000);
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    assert.deepEqual([model.head.execution, model.events.length], ['running', world.stored]);
  });

  it('refuses what has no effect, although servers answer 200', async () => {
    const world = new World({ script: [{ say: 'Done.' }] });
    const model = world.open();
    await world.finish(model.send('Go'));
    await world.advance(5_000);
    for (const work of [model.pause(), model.interrupt(), model.resume()])
      assert.equal((await world.finish(work)).kind, 'refused');
  });

  it('rejects only while the agent waits, as a rejection also marks a command that already runs', async () => {
    for (const release of releases) {
      const slow: ScriptStep = { act: [{ command: 'make', risk: 'LOW', ms: 60_000 }] };
      const world = new World({ release, script: [slow] });
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Build it'));
      await world.advance(5_000);
      const running = world.conversation.log.all.find(({ kind }) => kind === 'ActionEvent');
      const outcome = await world.finish(model.reject([running?.id ?? ''], 'No'));
      assert.equal(outcome.kind, 'refused');
      assert.ok(!world.conversation.log.all.some(({ kind }) => kind === 'UserRejectObservation'));
    }
  });

  it('changes nothing at the agent server but by messages, answers, runs, pauses, and the policy', async () => {
    const world = new World({ script: [clean, { finish: 'Done.' }] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Clean up'));
    await world.advance(5_000);
    await world.finish(model.approve(model.head.pending.map(({ id }) => id)));
    await world.finish(model.setPolicy('always'));
    const changes = world.asked
      .map(({ what }) => what)
      .filter((what) => !/^(?:GET|SOCKET|service) /.test(what));
    // A PATCH or DELETE there wouldn't reach the service's record, or would reset its metrics.
    const allowed =
      /^POST \/api\/conversations\/\w+\/(?:events(?:\/respond_to_confirmation)?|run|pause|confirmation_policy)$/;
    assert.ok(changes.length >= 3);
    for (const change of changes) assert.match(change, allowed);
  });

  it('refuses to send to a stuck agent if that would have no effect', async () => {
    for (const [release, kind] of [
      ['1.7.1', 'refused'],
      ['1.15.0', 'done'],
    ] as const) {
      const world = new World({ release, script: [{ stuck: true }, { say: 'Free.' }] });
      const model = world.open();
      await world.finish(model.send('Go'));
      await world.advance(5_000);
      assert.equal((await world.finish(model.send('And?'))).kind, kind);
      await world.advance(5_000);
      assert.equal(world.conversation.status, kind === 'done' ? 'finished' : 'stuck');
    }
  });

  it('interrupts where the release can', async () => {
    const slow: ScriptStep = { act: [{ command: 'sleep 600', risk: 'LOW', ms: 600_000 }] };
    const world = new World({ script: [slow] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Sleep'));
    await world.advance(5_000);
    assert.equal(model.head.canInterrupt, true);
    assert.match(model.head.live?.text ?? '', /sleep 600/);
    assert.deepEqual(await world.finish(model.interrupt()), { kind: 'done' });
    await world.advance(5_000);
    assert.deepEqual([model.head.execution, model.head.live], ['paused', null]);
  });

  for (const release of ['1.7.1', '1.15.0'] as const)
    it(`takes a pause for the end of the step, which is when release ${release} shows it`, async () => {
      const world = new World({ release, script: [look, look], modelMs: 20_000 });
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Look'));
      await world.advance(25_000);
      await world.finish(model.pause());
      assert.deepEqual([model.head.execution, model.head.sendEffect], ['running', 'joins']);
      await world.advance(20_000);
      assert.deepEqual(
        [model.head.execution, model.head.sendEffect, model.head.live],
        ['paused', 'starts', null],
      );
    });

  it('asks on the side', async () => {
    const world = new World();
    assert.equal(await world.finish(world.open().ask('Why?')), 'You asked: Why?');
    assert.deepEqual(sentTexts(world), []);
  });

  it('masks known secrets, and counts them', async () => {
    const output = 'KEY=canary-session-key-7 and canary-sandbox-key-11';
    const world = new World({ script: [{ act: [{ command: 'env', output, risk: 'LOW' }] }] });
    world.secrets = ['canary-session-key-7'];
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Show it'));
    await world.advance(10_000);
    assert.equal(model.head.masked, 2);
    assert.doesNotMatch(JSON.stringify([model.entries, model.head, model.events]), /canary/);
    assert.doesNotMatch((await world.finish(model.fullText(model.entries[1]!.id))) ?? '', /canary/);
  });

  it('masks secrets that become known while it’s open, also in what it holds', async () => {
    const output = 'KEY=canary-later-1 and \u001b[31mcanary-\u001b[0mlater-2';
    const script: ScriptStep[] = [{ act: [{ command: 'env canary-later-1', output, risk: 'LOW' }] }];
    const world = new World({ script });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Use canary-later-1'));
    await world.advance(10_000);
    assert.match(JSON.stringify([model.entries, model.events]), /canary-later-1/);
    let told = 0;
    model.onDidChange(() => (told += 1));
    world.learn('canary-later-1');
    await world.advance(0);
    assert.ok(told > 0);
    assert.doesNotMatch(JSON.stringify([model.entries, model.head, model.events]), /canary-later-1/);
    const { masked } = model.head;
    assert.ok(masked >= 3);
    world.learn('canary-later-2');
    await world.advance(60_000);
    assert.equal(model.head.masked, masked + 1);
    const editable = world.open();
    editable.keepCurrent();
    await world.advance(10_000);
    assert.deepEqual(editable.entries, model.entries);
    assert.equal(editable.head.masked, model.head.masked);
  });

  it('masks secrets in actions that wait for approval once they become known', async () => {
    const script: ScriptStep[] = [{ act: [{ command: 'curl -H canary-later-1', risk: 'HIGH' }] }];
    const world = new World({ script, policy: { kind: 'AlwaysConfirm' } });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Go'));
    await world.advance(10_000);
    assert.match(JSON.stringify(model.head.pending), /canary-later-1/);
    const ids = model.head.pending.map(({ id }) => id);
    world.learn('canary-later-1');
    await world.advance(0);
    assert.doesNotMatch(JSON.stringify(model.head.pending), /canary/);
    assert.deepEqual(
      model.head.pending.map(({ id }) => id),
      ids,
    );
    assert.equal((await world.finish(model.approve(ids))).kind, 'done');
  });

  it('masks its title, the words of failures, and messages on their way', async () => {
    const world = new World();
    world.secrets = ['canary-session-key-7'];
    world.record = { title: 'Use canary-session-key-7 for the API' };
    const model = world.open();
    model.keepCurrent();
    await world.advance(10_000);
    assert.equal(model.head.title, 'Use •••••••• for the API');
    world.faults.push('lostRequest');
    await world.finish(model.send('with canary-session-key-7'));
    assert.match(JSON.stringify(model.head.outgoing), /with ••••••••/);
    const [outgoing] = model.head.outgoing;
    assert.equal(model.takeBack(outgoing!.id)?.text, 'with canary-session-key-7');
  });

  it('says that secrets couldn’t be read, in its head and in exports', async () => {
    const world = new World();
    world.secretsUnread = true;
    const model = world.open();
    model.keepCurrent();
    await world.advance(10_000);
    assert.equal(model.head.areSecretsUnread, true);
    const exported = { head: model.head, events: model.events, entries: model.entries };
    for (const text of [exportMarkdown(exported), exportJson(exported)])
      assert.match(text, /Known secrets couldn’t be read, so they aren’t hidden\./);
    world.secretsUnread = false;
    world.learn('canary-later-1');
    await world.advance(60_000);
    assert.equal(model.head.areSecretsUnread, false);
  });

  it('reads long texts again for an export, masked and counted once', async () => {
    const output = `canary-session-key-7 ${'x'.repeat(9_000)} the middle ${'y'.repeat(9_000)}`;
    const world = new World({ script: [{ act: [{ command: 'cat', output, risk: 'LOW' }] }] });
    world.secrets = ['canary-session-key-7'];
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Show it'));
    await world.advance(10_000);
    assert.doesNotMatch(JSON.stringify(model.events), /the middle/);
    const whole = JSON.stringify(await world.finish(model.wholeEvents()));
    assert.match(whole, /the middle/);
    assert.doesNotMatch(whole, /canary/);
    assert.equal(model.head.masked, 1);
    world.server.conversations.clear();
    assert.deepEqual(await world.finish(model.wholeEvents()), [...model.events]);
  });

  it('masks what was a secret while it was open, also once the sandbox is paused or another secret is used', async () => {
    const output = `canary-session-key-7 canary-sandbox-key-11 ${'x'.repeat(9_000)} the middle`;
    const world = new World({ script: [{ act: [{ command: 'env', output, risk: 'LOW' }] }] });
    world.secrets = ['canary-session-key-7'];
    const model = world.open();
    const holder = model.keepCurrent();
    await world.finish(model.send('Show it'));
    await world.advance(10_000);
    world.secrets = ['another-session-key'];
    holder.dispose();
    world.pauseSandbox();
    model.keepCurrent();
    await world.advance(40_000);
    assert.equal(model.head.limit, 'asleep');
    const whole = JSON.stringify(await world.finish(model.wholeEvents()));
    assert.match(whole, /the middle/);
    assert.doesNotMatch(whole, /canary/);
  });

  it('reads the pictures of a message when asked, and holds none', async () => {
    const uri = 'data:image/png;base64,AQID';
    const world = new World();
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Look', [uri]));
    await world.advance(10_000);
    const [entry] = model.entries;
    assert.ok(entry?.kind === 'message' && entry.images === 1);
    assert.doesNotMatch(JSON.stringify(model.events), /AQID/);
    assert.deepEqual(await world.finish(model.pictures(entry.id)), [uri]);
  });

  it('says that events are missing when the sandbox ended before the store had them', async () => {
    const world = new World({ script: stream(200), modelMs: 1 });
    world.conversation.message('Go', true);
    await world.advance(3_000);
    world.stored = world.conversation.log.all.length - 300;
    const model = world.open();
    model.keepCurrent();
    for (let second = 0; second < 60 && model.events.length === 0; second += 1) await world.advance(1_000);
    assert.equal(model.events.length, 100);
    world.record = { sandbox_status: 'MISSING', conversation_url: null, session_api_key: null };
    // The service is asked now and then, with answers that take turns of their own.
    for (let second = 0; second < 600 && model.head.limit !== 'gone'; second += 1) await world.advance(1_000);
    assert.equal(model.head.limit, 'gone');
    await world.finish(model.loadAll());
    assert.equal(model.events.length, world.stored + 100);
    const gaps = model.entries.filter((entry) => entry.kind === 'separator' && entry.what === 'gap');
    assert.equal(gaps.length, 1);
  });

  for (const release of ['1.7.1', '1.15.0'] as const) {
    it(`takes a sandbox that is paused for asleep, not for overloaded, at release ${release}`, async () => {
      const world = new World({ release, script: [look, { finish: 'Done.' }] });
      const model = world.open();
      model.keepCurrent();
      await world.finish(model.send('Go'));
      await world.advance(20_000);
      const problems = new Set<string>();
      model.onDidChange(() => problems.add(model.head.problem));
      world.pauseSandbox();
      for (let step = 0; step < 150; step += 1) await world.advance(1_000);
      assert.deepEqual([model.head.limit, model.head.problem], ['asleep', '']);
      assert.deepEqual([...problems], ['']);
    });
  }

  it('reads the store while the sandbox sleeps, and fills the gap when it wakes', async () => {
    const world = new World({ script: stream(5) });
    world.conversation.message('Go', true);
    await world.advance(2_000);
    world.stored = world.conversation.log.all.length - 6;
    world.pauseSandbox();
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    const before = model.events.length;
    assert.equal(before, world.stored);
    await world.finish(model.resume());
    await world.advance(10_000);
    assert.equal(model.events.length, world.conversation.log.all.length);
    assert.deepEqual(
      model.events.map(({ id }) => id),
      world.conversation.log.all.map(({ id }) => id),
    );
  });

  it('reads older events page by page, and from the store once the sandbox is gone', async () => {
    const world = new World({ script: stream(200), modelMs: 1 });
    world.conversation.message('Go', true);
    await world.advance(3_000);
    const total = world.conversation.log.all.length;
    assert.ok(total > 400);
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    assert.deepEqual([model.events.length, model.head.hasOlder], [100, true]);
    await world.finish(model.loadOlder());
    assert.equal(model.events.length, 200);
    world.record = { sandbox_status: 'MISSING', conversation_url: null, session_api_key: null };
    await world.advance(110_000);
    assert.deepEqual([model.head.limit, model.head.sendEffect], ['gone', 'impossible']);
    await world.finish(model.loadAll());
    assert.deepEqual([model.events.length, model.head.hasOlder], [total, false]);
    assert.ok(!model.entries.some((entry) => entry.kind === 'separator' && entry.what === 'gap'));
  });

  const places: [name: string, record: World['record'], limit: string][] = [
    [
      'of another sandbox, over http',
      { conversation_url: 'http://10.0.0.9/api/conversations/x' },
      'notAccepted',
    ],
    [
      'that could be read in two ways',
      { conversation_url: 'http://a\\@b/api/conversations/x' },
      'unreachable',
    ],
    ['that is missing', { conversation_url: null }, 'stored'],
  ];
  for (const [name, record, limit] of places) {
    it(`sends the sandbox’s key to no address ${name}`, async () => {
      const world = new World();
      Object.assign(world, { record, accepts: false });
      const model = world.open();
      model.keepCurrent();
      await world.advance(60_000);
      assert.deepEqual([model.head.limit, model.head.sendEffect], [limit, 'impossible']);
      assert.equal((await world.finish(model.send('Hello'))).kind, 'refused');
      assert.deepEqual(
        world.asked.filter(({ key }) => key !== null),
        [],
      );
    });
  }

  it('shows the service’s word on its state where the agent server says nothing', async () => {
    const world = new World();
    world.record = { conversation_url: null, session_api_key: null, execution_status: 'running' };
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    const { execution, sendEffect, live, canInterrupt } = model.head;
    assert.deepEqual([execution, sendEffect, live, canInterrupt], ['running', 'impossible', null, false]);
  });

  it('says that the sandbox refuses its key', async () => {
    const world = new World();
    world.record = { session_api_key: 'wrong' };
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    for (let look = 0; look < 20; look += 1) {
      assert.equal(model.head.limit, 'refused');
      await world.advance(7_000);
    }
  });
});

describe('a conversation of a window', () => {
  /** A world with a conversation of so many pages of 100 events that is read, and not followed. */
  async function read(pages = 1, release: Release = '1.58.0') {
    const world = new World({ release, script: stream(pages * 40), modelMs: 1 });
    world.conversation.message('Go', true);
    await world.advance(10_000);
    const model = world.open();
    await world.finish(model.reach());
    await world.finish(model.readEvents());
    world.asked.length = 0;
    return { world, model };
  }

  it('is current while anybody keeps it so', async () => {
    const world = new World();
    const model = world.open();
    assert.equal(model.isCurrent, false);
    const [one, two] = [model.keepCurrent(), model.keepCurrent()];
    await world.advance(1_000);
    one.dispose();
    assert.equal(model.isCurrent, true);
    world.conversation.log.message('agent', 'Hello');
    await world.advance(1_000);
    assert.deepEqual(told(model), ['agent: Hello']);
    two.dispose();
    assert.equal(model.isCurrent, false);
    const three = model.keepCurrent();
    model.dispose();
    assert.equal(model.isCurrent, false);
    three.dispose();
  });

  it('reports nothing after it’s closed', async () => {
    const { model } = await read();
    let changes = 0;
    model.onDidChange(() => (changes += 1));
    model.answered(['a']);
    assert.equal(changes, 1);
    model.dispose();
    model.answered(['b']);
    assert.equal(changes, 1);
  });

  it('treats exactly what was answered as answered, until a read five seconds later shows it again', async () => {
    const { world, model } = await read();
    const agent = await world.finish(model.reach());
    assert.equal(model.isAnswered(['']), false);
    model.answered(['b', 'a']);
    assert.deepEqual(
      [['a', 'b'], ['b', 'a'], ['a'], ['ab'], []].map((ids) => model.isAnswered(ids)),
      [true, true, false, false, false],
    );
    await world.advance(4_999);
    await model.readStatus(agent);
    assert.equal(model.isAnswered(['a', 'b']), true);
    await world.advance(1);
    await model.readStatus(agent);
    assert.equal(model.isAnswered(['a', 'b']), false);
    model.answered([]);
    assert.equal(model.isAnswered([]), false);
  });

  it('offers what was answered again in time, whatever the clock of the computer shows', async () => {
    const { world, model } = await read();
    const agent = await world.finish(model.reach());
    model.answered(['a']);
    model.ports.date = () => world.clock.now() - 3_600_000;
    for (const [passed, isAnswered] of [
      [4_999, true],
      [1, false],
    ] as const) {
      await world.advance(passed);
      await model.readStatus(agent);
      assert.equal(model.isAnswered(['a']), isAnswered);
    }
  });

  it('tells at most one change a second while all older events are read, and each afterwards', async () => {
    const { world, model } = await read(8);
    const began = world.clock.now();
    const times: number[] = [];
    model.onDidChange(() => times.push(world.clock.now() - began));
    // Each page takes half a second.
    world.onRequest = () => world.pauseSandbox();
    const reading = model.loadAll();
    let pages = 0;
    for (; model.head.hasOlder; pages += 1) {
      await world.advance(500);
      world.wake();
      await world.advance(0);
    }
    await reading;
    assert.equal(model.events.length, world.conversation.log.all.length);
    assert.ok(pages > 5, `${pages} pages`);
    assert.deepEqual([...new Set(times)].slice(0, 2), [1_000, 2_000]);
    assert.ok(times.length <= pages / 2 + 2, `${times.length} changes`);
    times.length = 0;
    model.answered(['a']);
    model.answered(['b']);
    assert.equal(times.length, 2);
  });

  it('reads no older events once that was canceled, and ends where they can’t be read', async () => {
    const { world, model } = await read(3);
    const before = model.events.length;
    await world.finish(model.loadAll(AbortSignal.abort()));
    assert.deepEqual([model.events.length, world.asked], [before, []]);
    world.server.conversations.clear();
    await world.finish(model.loadAll());
    assert.deepEqual([model.events.length, model.head.hasOlder], [before, true]);
    assert.notEqual(model.head.problem, '');
  });

  it('looks for messages that may have arrived before the events that are read first, once', async () => {
    const world = new World({ script: stream(300), modelMs: 1 });
    const { log } = world.conversation;
    world.conversation.message('Go', true);
    while (log.all.length < 150) await world.advance(1);
    const after = String(log.all.at(-1)?.['timestamp']);
    world.conversation.message('Sent?', false);
    await world.advance(10_000);
    const sent = { id: '1', images: [], after, mayHaveArrived: true };
    const model = world.open({ unsent: [{ ...sent, text: 'Sent?' }] });
    model.keepCurrent();
    for (let turn = 0; turn < 20; turn += 1) await world.advance(1_000);
    assert.deepEqual(model.head.outgoing, []);
    const lost = world.open({ unsent: [{ ...sent, text: 'Lost' }] });
    lost.keepCurrent();
    for (let turn = 0; turn < 20; turn += 1) await world.advance(1_000);
    const { length } = lost.events;
    assert.ok(
      length < log.all.length && lost.events.some(({ timestamp }) => timestamp <= after),
      `${length}`,
    );
    await world.advance(60_000);
    assert.deepEqual([lost.events.length, lost.head.outgoing.length], [length, 1]);
  });

  it('puts no changes together from events that can’t all be read', async () => {
    const { world, model } = await read(3);
    world.server.conversations.clear();
    await assert.rejects(world.finish(model.changes.fromEvents()), Refusal);
    const unread = world.open();
    await assert.rejects(world.finish(unread.changes.fromEvents()), Refusal);
  });

  it('tries to reach its sandbox immediately if the user asks for it', async () => {
    const world = new World();
    world.record = { session_api_key: 'wrong' };
    const model = world.open();
    model.keepCurrent();
    await world.advance(1_000);
    assert.equal(model.head.limit, 'refused');
    world.record = {};
    model.reconnect();
    await world.advance(1_000);
    assert.equal(model.head.limit, 'none');
  });

  it('resumes no sandbox that isn’t paused', async () => {
    const world = new World();
    world.record = { conversation_url: null, session_api_key: null };
    const model = world.open();
    assert.equal((await world.finish(model.send('Go'))).kind, 'refused');
    assert.equal((await world.finish(model.resume())).kind, 'refused');
    assert.deepEqual([...new Set(world.asked.map(({ what }) => what))], ['service record']);
  });

  it('shows stored events of which the service has no record', async () => {
    const world = new World();
    world.conversation.log.message('agent', 'Hello');
    const model = world.open();
    model.ports.client.getConversation = () => Promise.resolve(null);
    model.keepCurrent();
    await world.advance(1_000);
    assert.deepEqual([told(model), model.head.limit], [['agent: Hello'], 'gone']);
    const { repository } = await (await model.changes.fromEvents()).list();
    assert.equal(repository.remote, null);
  });

  it('gives whole texts and edited files of its entries', async () => {
    const output = `${'x'.repeat(9_000)} the middle ${'y'.repeat(9_000)}`;
    const edit = { path: '/workspace/project/shop/src/a.ts', before: 'a', after: 'b', risk: 'LOW' as const };
    const world = new World({
      script: [{ act: [{ command: 'cat', output, risk: 'LOW' }] }, { act: [edit] }],
    });
    world.record = { selected_repository: 'acme/shop' };
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Go'));
    await world.advance(10_000);
    const [message, command, edited] = model.entries.map(({ id }) => id);
    assert.match((await world.finish(model.fullText(command!))) ?? '', /the middle/);
    assert.deepEqual(model.editedFile(edited!), { path: edit.path, before: 'a', after: 'b' });
    assert.equal(model.editedFile(message!), undefined);
    for (const id of [message!, command!]) assert.deepEqual(await world.finish(model.pictures(id)), []);
    model.ports.client.events!.getStoredEvent = () => Promise.resolve(null);
    world.pauseSandbox();
    await world.finish(model.changes.place().catch(() => undefined));
    assert.deepEqual(await world.finish(model.pictures('none')), []);
    const changes = await world.finish((await world.finish(model.changes.fromEvents())).list());
    assert.deepEqual(
      [changes.repository.name, changes.files.map(({ path }) => path)],
      ['shop', ['src/a.ts']],
    );
  });

  it('tells changes of all its events, also of those that weren’t read yet', async () => {
    const { world, model } = await read(3);
    await world.finish(model.changes.fromEvents());
    assert.equal(model.events.length, world.conversation.log.all.length);
  });

  it('reaches the files of its sandbox, which is resumed only if that’s asked for', async () => {
    const world = new World();
    const model = world.open();
    const { workspace, workingDir } = await world.finish(model.changes.place());
    assert.deepEqual([typeof workspace.execute, workingDir], ['function', '/workspace/project']);
    world.pauseSandbox();
    await assert.rejects(world.finish(model.changes.place()), Refusal);
    let wakes = 0;
    const again = await world.finish(model.changes.place(() => (wakes += 1)));
    assert.deepEqual([wakes, again.workingDir], [1, '/workspace/project']);
  });

  it('has no files to reach where the agent server names no folder', async () => {
    const world = new World();
    const model = world.open();
    const { createAgentClient } = model.ports;
    model.ports.createAgentClient = (...args) => {
      const agent = createAgentClient(...args);
      return {
        ...agent,
        getConversation: async () => ({ ...(await agent.getConversation()), workingDir: null }),
      };
    };
    await assert.rejects(world.finish(model.changes.place()), Refusal);
  });

  it('asks nothing again that an error answered, while its agent server can’t be reached', async () => {
    const world = new World({ script: [clean] });
    const model = world.open();
    model.keepCurrent();
    await world.finish(model.send('Clean up'));
    await world.advance(5_000);
    assert.equal(model.head.pending.length, 1);
    const { log } = world.conversation;
    const { tool_name, tool_call_id } = log.all.find(({ kind }) => kind === 'ActionEvent')!;
    log.add('AgentErrorEvent', 'agent', { tool_name, tool_call_id, error: 'No' });
    await world.advance(1_000);
    assert.deepEqual([model.head.pending, model.head.execution], [[], 'waiting_for_confirmation']);
    world.onRequest = () => {
      if (world.asked.at(-1)?.what.endsWith('/events/search')) throw new TypeError('fetch failed');
    };
    model.reconnect();
    while (model.head.problem === '') await world.advance(1_000);
    assert.deepEqual([model.head.pending, model.head.execution], [[], 'waiting_for_confirmation']);
  });

  it('compares with the branch that it began on', async () => {
    const world = new World();
    world.record = { selected_branch: 'feature-7' };
    const model = world.open();
    const commands: string[] = [];
    const execute = ({ command }: { command: string }) => {
      commands.push(command);
      return Promise.resolve({ exitCode: 0, stdout: '', stderr: '' });
    };
    model.ports.createWorkspace = () => ({ execute }) as never;
    const reading = model.changes.repositories().catch(() => undefined);
    await world.finish(reading);
    assert.match(commands.join('\n'), /feature-7/);
  });
});
