import assert from 'node:assert/strict';
import { readablePost } from '../../../../src/features/settings/panel/sending';
import {
  parseHostMessage,
  type HostMessage,
  type SaveResult,
  type ShownForm,
} from '../../../../src/features/settings/shared/messages';
import { formMessage, sleeping } from '../../../ui/form/samples';

const long = 'x'.repeat(4_000_001);
const many = Array<string>(5_001).fill('n');
const target = { at: 'mcp', id: 'a', member: `env.${'x'.repeat(3_000)}` } as const;

const more = /more to show here than the form can take/;
const shown = (change: Partial<ShownForm>) => formMessage(undefined, { parked: [sleeping], ...change });

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
    const message = shown({ result: { kind: 'failed', message: 'm' } });
    assert.deepEqual(sent(message), { posted: [message], logged: [] });
  });

  /** One result of each kind that can grow; a missing kind doesn't compile. */
  const results: {
    [K in Exclude<SaveResult['kind'], 'canceled' | 'saved'>]: Extract<SaveResult, { kind: K }>;
  } = {
    invalid: { kind: 'invalid', problems: [{ target, message: 'm' }] },
    conflict: {
      kind: 'conflict',
      conflicts: [{ key: target.member, label: 'l', mine: 'm', theirs: 't', previous: 'f' }],
    },
    failed: { kind: 'failed', message: long },
    notUndone: { kind: 'notUndone', message: long },
  };
  for (const result of Object.values(results))
    it(`end a save with result “${result.kind}”, even if the details are too long`, () => {
      const { posted, logged } = sent(shown({ result }));
      const [message] = posted;
      assert.ok(message?.type === 'form', JSON.stringify(posted));
      assert.equal(message.result?.kind, result.kind === 'notUndone' ? result.kind : 'failed');
      assert.match(JSON.stringify(message.result), more);
      assert.match(logged.join(), /can't read a message of the type form/);
    });

  it('show what a save ended with, even if there is too much to say about it', () => {
    const result: SaveResult = { kind: 'saved', undo: 'possible' };
    const [message] = sent(shown({ notices: many, result })).posted;
    assert.ok(message?.type === 'form' && message.result?.kind === 'saved');
    assert.match(message.notices.join(), more);
    assert.deepEqual(
      sent(shown({ document: long, result })).posted.map(({ type }) => type),
      ['failed'],
    );
  });

  it('shorten everything that says too much, and keep the rest', () => {
    const [message] = sent(
      shown({
        serverNotices: { words: many, failed: true },
        providerChanges: [
          { name: 'github', busy: false, error: long },
          { name: 'gitlab', busy: true, error: null },
        ],
        working: long,
      }),
    ).posted;
    assert.ok(message?.type === 'form');
    const { serverNotices, providerChanges, working, parked } = message;
    assert.equal(serverNotices.failed, true);
    assert.match(serverNotices.words.join(), more);
    assert.match(providerChanges[0]?.error ?? '', more);
    assert.deepEqual(providerChanges[1], { name: 'gitlab', busy: true, error: null });
    assert.equal(working, 'Working…');
    assert.equal(parked.length, 1);
  });

  it('leave out lists that are too long', () => {
    const [message] = sent(shown({ suggestions: { agent: many } })).posted;
    assert.ok(message?.type === 'form');
    assert.deepEqual([message.suggestions, message.parked], [{}, []]);
  });

  it('end all other pending states, even if too long', () => {
    const types = (message: HostMessage) => sent(message).posted.map(({ type }) => type);
    assert.deepEqual(types({ type: 'failed', message: long, nextStep: '' }), ['failed']);
    assert.deepEqual(types({ type: 'review', groups: [], notes: many }), ['review']);
    const result = { ok: false, message: long } as const;
    assert.deepEqual(types({ type: 'test', id: 'a', about: [], result }), ['test']);
  });

  it('are dropped if unreadable and the form isn’t waiting', () => {
    const { posted, logged } = sent({ type: 'reveal', section: 'none' as 'mcp' });
    assert.deepEqual([posted, logged.length], [[], 1]);
  });
});
