import assert from 'node:assert/strict';
import { parseConversationUrl } from '../../src/api/agent/address';
import { createAgentClient, readAgentServer } from '../../src/api/agent/client';
import type { OpenSocket } from '../../src/api/agent/socket';
import { createOpenSocket } from '../../src/editor/networkFetch';
import type { Head } from '../../src/shared/transcript';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import { startConversation, useModel, writingStep, written } from './support/conversations';
import { follow, until } from './support/followed';
import { withSandboxes } from './support/releases';
import { itWithout, real, realClient, realSuite } from './support/suite';

realSuite('conversation in the editor', withSandboxes, function () {
  this.timeout(300_000);
  let model: LiveConversation;
  let openSocket: OpenSocket;
  const texts = () => model.entries.flatMap((entry) => (entry.kind === 'message' ? [entry.text.text] : []));
  const steps = () =>
    model.entries.flatMap((entry) => (entry.kind === 'step' ? [[entry.detail.step, entry.state]] : []));

  /** A client for the agent server, without our rules for messages. */
  const reach = async () => {
    const record = await realClient().getConversation(model.id);
    assert.ok(record?.conversation_url && record.session_api_key);
    const address = parseConversationUrl(record.conversation_url)!;
    const { release: version } = await readAgentServer(address, {});
    const agent = createAgentClient(address, record.session_api_key, version, { openSocket });
    return { agent, address, version };
  };

  before(useModel);
  after(() => model.dispose());

  it('reads everything that the agent did', async () => {
    real().model.script(writingStep('read.txt', 'by the agent'));
    const { app_conversation_id: id } = await startConversation(realClient(), 'Write the file.');
    assert.ok(id);
    openSocket = await createOpenSocket({}, undefined);
    model = follow(id, openSocket);
    model.keepCurrent();
    // The state is read before the events, and the usage comes last.
    const isDone = ({ execution, tokens }: Head) =>
      execution === 'finished' && steps().length === 2 && (tokens ?? 0) > 0;
    await until(model, isDone);
    assert.deepEqual(texts(), ['Write the file.']);
    assert.deepEqual(steps(), [
      ['edit', 'done'],
      ['finish', 'done'],
    ]);
    const { limit, problem, policy } = model.head;
    assert.deepEqual([limit, problem, policy], ['none', '', 'never']);
  });

  it('sends a message, which starts the agent again', async () => {
    real().model.script(writingStep('again.txt', 'once more'));
    assert.deepEqual(await model.send('Write another file.'), { kind: 'done' });
    await until(
      model,
      ({ execution, outgoing }) => execution === 'finished' && outgoing.length === 0 && steps().length === 4,
    );
    assert.deepEqual(texts(), ['Write the file.', 'Write another file.']);
    assert.equal(await written('again.txt'), 'once more');
  });

  itWithout(
    'rejectsNothing',
    'this release ignores it',
    'asks before an action, runs approved actions once, and no rejected ones',
    async () => {
      assert.deepEqual(await model.setPolicy('always'), { kind: 'done' });
      real().model.script(writingStep('rejected.txt', 'no'), writingStep('approved.txt', 'yes'));
      assert.deepEqual(await model.send('Write a third file.'), { kind: 'done' });
      await until(model, ({ pending }) => pending.length === 1);
      const [first] = model.head.pending;
      assert.ok(first?.path.endsWith('rejected.txt'));
      // A message that runs the agent would execute the pending action.
      assert.deepEqual(await model.reject([first?.id ?? ''], 'Not this one.'), { kind: 'done' });
      await until(model, ({ pending, execution }) => pending.length === 0 && execution === 'idle');
      assert.equal(await written('rejected.txt'), undefined);

      assert.deepEqual(await model.send('Another one, then.'), { kind: 'done' });
      await until(model, ({ pending }) => pending.length === 1);
      const [second] = model.head.pending;
      assert.ok(second?.path.endsWith('approved.txt'));
      assert.equal(await written('approved.txt'), undefined);
      // A busy server ignores an approval while the step before is still coming to its end, and keeps asking.
      for (;;) {
        const outcome = await model.approve([second?.id ?? '']);
        if (outcome.kind === 'done') break;
        assert.match(outcome.problem, /hasn’t reacted/);
        await until(model, ({ pending }) => pending.length === 1);
      }
      await until(model, ({ execution }) => execution === 'finished');
      assert.equal(await written('approved.txt'), 'yes');
      assert.equal(await written('rejected.txt'), undefined);
    },
  );

  /** Sends what the product never sends to a working or waiting agent. */
  const runAgent = async () =>
    (await reach()).agent.sendMessage({ text: 'Anything else?', images: [], run: true });

  it('must not run a waiting agent, because the server then executes its actions unasked', async () => {
    real().model.script(writingStep('waiting.txt', 'unasked'));
    assert.deepEqual(await model.send('Write a fourth file.'), { kind: 'done' });
    await until(model, ({ pending }) => pending.length === 1);
    assert.equal(await written('waiting.txt'), undefined);
    await runAgent();
    await until(model, ({ execution }) => execution === 'finished');
    assert.equal(await written('waiting.txt'), 'unasked');
  });

  it('must not run a working agent, because some servers then execute its next action unasked', async () => {
    let end = (): void => undefined;
    const step = new Promise<void>((resolve) => (end = resolve));
    real().model.script(writingStep('running.txt', 'unasked', step));
    assert.deepEqual(await model.send('Write a fifth file.'), { kind: 'done' });
    await until(model, ({ execution }) => execution === 'running');
    const sent = runAgent();
    const { agent } = await reach();
    // Old releases answer when the step ends, but this at once, after the run has arrived. With others, the run must
    // be answered before: once the action waits, it would run it.
    await (agent.features.holdsMessages ? agent.getConversation() : sent);
    end();
    await sent;
    if (real().release.quirks.includes('runsUnasked')) {
      await until(model, ({ execution }) => execution === 'finished');
      assert.equal(await written('running.txt'), 'unasked');
    } else {
      await until(model, ({ pending }) => pending.length === 1);
      assert.equal(await written('running.txt'), undefined);
      await model.reject([model.head.pending[0]?.id ?? ''], 'Not this one.');
    }
  });

  it('receives events by socket where that doesn’t freeze the sandbox', async () => {
    const { agent, address, version } = await reach();
    const [, minor] = version.split('.');
    assert.equal(agent.features.sockets, Number(minor) >= 17, version);
    if (!agent.features.sockets) return;
    const kinds: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const stop = agent.listen({
        opened: () => void model.send('Hello again.').catch(reject),
        heard: ({ kind }) => {
          kinds.push(kind);
          if (kind !== 'message') return;
          stop();
          resolve();
        },
        ended: (why) => reject(new Error(why)),
      });
    });
    assert.ok(kinds.includes('message'), kinds.join());
    const stranger = createAgentClient(address, 'another-key', version, { openSocket });
    const end = await new Promise((ended) =>
      stranger.listen({ opened: () => undefined, heard: () => undefined, ended }),
    );
    assert.equal(end, 'lost');
  });
});
