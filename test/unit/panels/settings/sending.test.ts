import assert from 'node:assert/strict';
import { readablePost } from '../../../../src/panels/settings/sending';
import { parseHostMessage, type HostMessage, type SaveResult } from '../../../../src/shared/messages';
import type { ServerEvent } from '../../../../src/shared/serverMessages';

import { modelMessage } from '../../../ui/form/samples';

const long = 'x'.repeat(4_000_001);
const many = Array<string>(5_001).fill('n');
const target = { at: 'mcp', id: 'a', member: `env.${'x'.repeat(3_000)}` } as const;

/** Sends a message, and returns what the form gets and the log. */
function sent(message: HostMessage) {
  const posted: HostMessage[] = [];
  const logged: string[] = [];
  const log = (text: string) => void logged.push(text);
  readablePost({ post: (one) => posted.push(one), log: { info: log, warn: log, error: log } })(message);
  for (const one of posted) assert.ok(parseHostMessage(JSON.parse(JSON.stringify(one))).ok);
  return { posted, logged };
}

describe('messages to the form', () => {
  it('are sent unchanged if the form can read them', () => {
    const message: HostMessage = { type: 'saveResult', result: { kind: 'failed', message: 'm' } };
    assert.deepEqual(sent(message), { posted: [message], logged: [] });
  });

  /** One result of each kind that can grow; a missing kind doesn't compile. */
  const results: { [K in Exclude<SaveResult['kind'], 'canceled'>]: Extract<SaveResult, { kind: K }> } = {
    saved: { kind: 'saved', notes: many, undo: 'possible' },
    invalid: { kind: 'invalid', problems: [{ target, message: 'm' }] },
    conflict: {
      kind: 'conflict',
      conflicts: [{ key: target.member, label: 'l', mine: 'm', theirs: 't', former: 'f' }],
    },
    failed: { kind: 'failed', message: long },
    notUndone: { kind: 'notUndone', message: long },
  };
  for (const result of Object.values(results))
    it(`end a save with result “${result.kind}”, even if the details are too long`, () => {
      const { posted, logged } = sent({ type: 'saveResult', result });
      const [message] = posted;
      assert.ok(message?.type === 'saveResult', JSON.stringify(posted));
      const isKept = result.kind === 'saved' || result.kind === 'notUndone';
      assert.equal(message.result.kind, isKept ? result.kind : 'failed');
      assert.match(JSON.stringify(message.result), /more to show here than the form can take/);
      assert.match(logged.join(), /can't read a message of the type saveResult/);
    });

  it('show what a save ended with, even if there is too much to say about it', () => {
    const result: SaveResult = { kind: 'saved', notes: many, undo: 'possible' };
    const [message] = sent(modelMessage(undefined, { notices: many, result })).posted;
    assert.ok(message?.type === 'model' && message.result?.kind === 'saved');
    assert.match(message.result.notes.join(), /more to show here than the form can take/);
    const unreadable = modelMessage(undefined, { document: long, result });
    assert.deepEqual(
      sent(unreadable).posted.map(({ type }) => type),
      ['failed'],
    );
  });

  const events: ServerEvent[] = [
    { kind: 'done', notices: many, failed: false, goTo: null },
    { kind: 'working', words: long },
    { kind: 'test', id: 'a', result: { ok: false, message: long } },
  ];
  for (const event of events)
    it(`shorten an oversized “${event.kind}” server event`, () => {
      const [message] = sent({ type: 'servers', event }).posted;
      assert.ok(message?.type === 'servers' && message.event.kind === event.kind);
    });

  it('end all other pending states, even if too long', () => {
    const types = (message: HostMessage) => sent(message).posted.map(({ type }) => type);
    assert.deepEqual(types({ type: 'failed', message: long, nextStep: '' }), ['failed']);
    assert.deepEqual(types({ type: 'review', groups: [], notes: many }), ['review']);
    assert.deepEqual(types({ type: 'provider', name: 'a', busy: false, error: long }), ['provider']);
    assert.deepEqual(types({ type: 'notice', message: long }), ['notice']);
  });

  it('are dropped if unreadable and the form isn’t waiting', () => {
    const { posted, logged } = sent({ type: 'suggestions', field: 'agent', values: many });
    assert.deepEqual([posted, logged.length], [[], 1]);
  });
});
