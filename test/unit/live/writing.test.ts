import assert from 'node:assert/strict';
import type { WrittenPart } from '../../../src/api/agent/socket';
import { Writing } from '../../../src/features/live/model/writing';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { World } from './world';

const part = (text: string, more: Partial<WrittenPart> = {}): WrittenPart => ({
  ...{ id: 'm1', attempt: 1, order: 0, text, isOver: false },
  ...more,
});
const plain = (text: string) => text;

describe('what an agent is writing', () => {
  const shown = (parts: WrittenPart[], secrets: string[] = [], mask = plain) => {
    const writing = new Writing();
    for (const one of parts) writing.take(one);
    return writing.shown(secrets, mask)?.text;
  };

  it('grows by parts, up to the last whole word', () => {
    const begun = part('', { order: undefined });
    assert.equal(shown([begun]), undefined);
    assert.equal(shown([begun, part('Hel')]), undefined);
    assert.equal(shown([begun, part('Hello, wor')]), 'Hello,');
    assert.equal(shown([part('Hello, wor'), part('ld! ', { order: 1 })]), 'Hello, world!');
    assert.equal(shown([part('修正しました。次に')]), '修正しました。次に');
    assert.equal(shown([part('Done ✓')]), 'Done ✓');
  });

  it('stops where a part was lost, comes twice, or where nobody heard the beginning', () => {
    const lost = [part('One '), part('three ', { order: 2 }), part('two ', { order: 1 })];
    assert.equal(shown(lost), 'One');
    assert.equal(shown([part('One '), part('One ')]), 'One');
    assert.equal(shown([part('in the middle ', { order: 5 })]), undefined);
    assert.equal(shown([part('x ', { order: -1 })]), undefined);
  });

  it('begins again with a higher attempt, and ignores a lower one', () => {
    assert.equal(shown([part('First '), part('Second ', { attempt: 2 })]), 'Second');
    assert.equal(shown([part('Second ', { attempt: 2 }), part('First ')]), 'Second');
    const writing = new Writing();
    assert.equal(writing.take(part('', { order: undefined })), false);
    assert.equal(writing.take(part('First ')), true);
    const again = { attempt: 2, order: undefined };
    assert.deepEqual([writing.take(part('', again)), writing.take(part('', again))], [true, false]);
    assert.equal(writing.shown([], plain), null);
  });

  it('is the text that was begun last, until each is complete or never will be', () => {
    const writing = new Writing();
    writing.take(part('One '));
    writing.take(part('Two ', { id: 'm2' }));
    assert.deepEqual(writing.shown([], plain), { id: 'm2', text: 'Two' });
    writing.end('m2');
    assert.deepEqual(writing.shown([], plain), { id: 'm1', text: 'One' });
    writing.take(part('', { isOver: true, order: undefined }));
    assert.equal(writing.shown([], plain), null);
    writing.end('never begun');
  });

  it('is bounded, however much comes', () => {
    const writing = new Writing();
    for (let order = 0; order < 3_000; order += 1) writing.take(part('twenty characters.. ', { order }));
    assert.equal(writing.shown([], plain)?.text.length, 19_999);
    for (let index = 0; index < 1_000; index += 1) writing.take(part('x ', { id: `n${index}` }));
    assert.equal(writing.shown([], plain)?.id, 'n18');
  });

  it('shows no more than half of a secret that is written in pieces, or in another form', () => {
    const secret = 'canary-key-4711-0815-abcdef';
    const { text } = createSecretMask(() => [secret]);
    const forms = [
      secret.split('').join(' '),
      secret.replace(/(?=0815)/, '\n'),
      Buffer.from(secret).join(', '),
    ];
    for (const form of forms)
      for (let length = Math.ceil(form.length * 0.6); length < form.length; length += 1) {
        const said = `The key is ${form.slice(0, length)} `;
        assert.match(shown([part(said)], [secret], text) ?? '', /^The key is ••••••••/, said);
      }
  });

  it('shows no beginning of a secret, whatever characters it has', () => {
    const key = '-----BEGIN KEY-----\nabc def\nghi jkl\n-----END KEY-----';
    for (const secret of [
      key,
      'pässwört-größer',
      '秘密の合言葉です',
      '\u{1f511}key\u{1f511}key',
      'canary-4711-canary',
    ])
      for (let length = 1; length < secret.length; length += 1)
        assert.equal(
          shown([part(`The key is ${secret.slice(0, length)}`)], [secret]),
          'The key is',
          secret.slice(0, length),
        );
    assert.equal(shown([part('The key is lost')], [key]), 'The key is');
    assert.equal(shown([part('It is open ')], ['open sesame now']), 'It is');
  });
});

describe('what an agent is writing, in its conversation', () => {
  /** An open conversation whose socket tells what is written. */
  async function follow() {
    const world = new World();
    const model = world.open();
    model.keepCurrent();
    await world.advance(2_000);
    const write = (order: number, content: string) =>
      world.server.sockets.write({
        type: 'delta',
        item_id: 'said',
        attempt: 1,
        order,
        kind: 'text',
        content,
      });
    return { world, model, write };
  }

  it('is there until its event is, masked, in few redraws', async () => {
    const { world, model, write } = await follow();
    let redraws = 0;
    model.onDidChange(() => (redraws += 1));
    for (let order = 0; order < 100; order += 1) write(order, 'word ');
    await world.advance(200);
    assert.equal(model.head.written?.text, 'word '.repeat(100).trim());
    assert.ok(redraws <= 2, `${redraws} redraws`);
    world.learn('canary-secret-4711');
    write(100, 'canary-secret-4711 and ');
    await world.advance(200);
    assert.match(JSON.stringify(model.head.written), /word •+ and"}$/);
    const { log } = world.conversation;
    const all = { llm_message: { role: 'assistant', content: [{ type: 'text', text: 'All of it' }] } };
    log.write({ ...log.plan('MessageEvent', 'agent', all), id: 'said' });
    await world.advance(200);
    assert.equal(model.head.written, null);
    model.dispose();
  });

  it('is gone with the socket', async () => {
    const { world, model, write } = await follow();
    write(0, 'Half a sentence ');
    await world.advance(200);
    assert.equal(model.head.written?.text, 'Half a sentence');
    world.server.sockets.drop(1011);
    await world.advance(200);
    assert.equal(model.head.written, null);
    model.dispose();
  });
});
