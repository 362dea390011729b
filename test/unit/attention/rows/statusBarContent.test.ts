import assert from 'node:assert/strict';
import { commandIds } from '../../../../src/ids';
import type { Session } from '../../../../src/core/session/session';
import {
  statusBarContent,
  type StatusBarState,
} from '../../../../src/features/attention/rows/statusBarContent';
import { aClient, anError } from '../../../support/builders/client';
import { aConversation } from '../../../support/builders/records';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };
const ready: Session = { kind: 'ready', connection, client: aClient() };
const failed = (kind: 'refused' | 'unreachable'): Partial<StatusBarState> => {
  const error = anError(kind === 'refused' ? 'unauthorized' : 'reset');
  return {
    session: { kind, connection, client: aClient(), error },
    outOfDate: { error, since: 0 },
  };
};
const content = (values: Partial<StatusBarState>) =>
  statusBarContent({
    session: ready,
    running: 3,
    waiting: [],
    elsewhere: [],
    outOfDate: undefined,
    isFollowed: true,
    ...values,
  });
const lines = (values: Partial<StatusBarState>) =>
  content(values)?.tooltip.map((line) => (typeof line === 'string' ? line : `[${line.title}]`));
const waiting = (count: number) =>
  Array.from({ length: count }, (_, index) => aConversation({ id: `c-${index}`, title: `Job ${index}` }));

describe('status bar item', () => {
  it('is hidden without a connection or key', () => {
    assert.equal(content({ session: { kind: 'none' } }), undefined);
    assert.equal(content({ session: { kind: 'noKey', connection } }), undefined);
  });

  it('shows the connection and the running sandboxes', () => {
    assert.deepEqual(content({}), {
      text: '$(vm) Team · 3 running',
      tooltip: ['Team', '3 sandboxes running'],
      attention: false,
    });
    assert.deepEqual(lines({ running: 1 }), ['Team', '1 sandbox running']);
    assert.equal(content({ running: undefined })?.text, '$(vm) Team');
  });

  it('names the organization that the lists are for', () => {
    const organization = { id: 'org-acme', name: 'Acme' };
    const at = (of: typeof organization): Session => ({
      ...{ kind: 'ready', client: aClient() },
      connection: { ...connection, organization: of },
    });
    assert.deepEqual(lines({ session: at(organization) }), ['Team', 'Acme', '3 sandboxes running']);
    assert.deepEqual(
      lines({ session: at({ ...organization, name: '' }), waiting: waiting(1) })?.slice(0, 2),
      ['Team', 'org-acme'],
    );
  });

  it('shows that agents are waiting, links to each, and opens the first', () => {
    const one = content({ waiting: waiting(1) });
    assert.equal(one?.text, '$(bell-dot) 1 · Team');
    assert.equal(one.attention, true);
    assert.deepEqual(one.action, {
      title: 'Job 0',
      command: commandIds.conversationReview,
      argument: { ref: { kind: 'conversation', id: 'c-0' } },
    });
    assert.deepEqual(lines({ waiting: waiting(1) }), [
      'Team',
      '1 agent waiting for you',
      '[Job 0]',
      '3 sandboxes running',
    ]);
    const many = lines({ waiting: waiting(12), running: undefined });
    assert.equal(many?.[1], '12 agents waiting for you');
    assert.equal(many.filter((line) => line.startsWith('[')).length, 10);
    assert.equal(many.at(-1), 'and 2 more');
  });

  it('hides counts that nothing keeps up to date, and says when they are', () => {
    assert.deepEqual(content({ isFollowed: false, waiting: waiting(1) }), {
      text: '$(vm) Team',
      tooltip: ['Team', 'Agents and sandboxes are checked only while an Agent Workspace view is visible.'],
      attention: false,
    });
    assert.match(content({ ...failed('unreachable'), isFollowed: false })?.text ?? '', /debug-disconnect/);
  });

  it('hides outdated counts, and says why and what to do', () => {
    const values = { ...failed('unreachable'), waiting: waiting(1) };
    assert.equal(content(values)?.text, '$(debug-disconnect) Team');
    assert.equal(content(values)?.attention, false);
    const said = lines(values) ?? [];
    assert.equal(said[0], 'Out of date: can’t reach Team');
    assert.match(said[2] ?? '', /^Last update: .+\d/);
    assert.deepEqual(said.slice(3), ['[Try Again]', '[Show Logs]']);
    const list = content({ outOfDate: { error: anError('serverError', 503), since: undefined } });
    assert.equal(list?.tooltip[0], 'Out of date: Team returned an error (HTTP 503)');
    assert.equal(list.tooltip.length, 4, 'it was never read');
  });

  it('highlights a refused key, and lets a click replace it', () => {
    const refused = content(failed('refused'));
    assert.equal(refused?.text, '$(key) Team');
    assert.equal(refused.attention, true);
    assert.equal(refused.action?.command, commandIds.sessionSetKey);
  });

  it('lets who signed in sign in again, who has never seen a key', () => {
    const { session, ...trouble } = failed('refused');
    const signedIn = { ...connection, authentication: 'signIn' as const };
    const refused = content({ session: { ...session, connection: signedIn } as Session, ...trouble });
    assert.equal(refused?.action?.command, commandIds.sessionSignIn);
    assert.ok(refused.tooltip.includes(refused.action));
  });

  it('doesn’t render icons from names', () => {
    const named: Session = { ...ready, connection: { ...connection, name: '$(zap)\u202eTeam' } };
    assert.equal(content({ session: named })?.text, '$(vm) $ (zap)Team · 3 running');
  });

  describe('with agents that wait on other connections', () => {
    const other = { ...connection, name: 'Lab', baseUrl: 'https://lab.example.com' };
    const elsewhere = [{ connection: other, conversations: waiting(2) }];
    const first = {
      title: 'Job 0',
      command: commandIds.conversationReview,
      argument: { ref: { kind: 'conversation', id: 'c-0', service: other.baseUrl } },
    };

    it('counts them, names their connection, and opens the first where it is', () => {
      assert.deepEqual([content({ elsewhere })?.action, content({ elsewhere })?.attention], [first, true]);
      assert.deepEqual(lines({ elsewhere }), [
        'Team',
        '3 sandboxes running',
        'Lab',
        '2 agents waiting for you',
        '[Job 0]',
        '[Job 1]',
      ]);
    });

    it('still shows which connection the window is on, and its state', () => {
      assert.equal(content({ elsewhere })?.text, '$(bell-dot) 2 · Lab  $(vm) Team · 3 running');
      assert.equal(content({ ...failed('refused'), elsewhere })?.text, '$(bell-dot) 2 · Lab  $(key) Team');
    });

    it('opens the window’s own first', () => {
      const both = content({ waiting: waiting(1), elsewhere });
      assert.equal(both?.text, '$(bell-dot) 3 · Team, Lab');
      assert.deepEqual(both.action?.argument, { ref: { kind: 'conversation', id: 'c-0' } });
    });

    it('shows them also where the window’s own connection doesn’t work', () => {
      assert.equal(
        content({ session: { kind: 'noKey', connection }, elsewhere })?.text,
        '$(bell-dot) 2 · Lab',
      );
      const noKey = lines({ session: { kind: 'noKey', connection }, elsewhere });
      assert.deepEqual(noKey, ['Lab', '2 agents waiting for you', '[Job 0]', '[Job 1]']);
      assert.deepEqual(content({ ...failed('refused'), elsewhere })?.action, first, 'not to the key');
      const lost = lines({ ...failed('unreachable'), elsewhere }) ?? [];
      assert.ok(lost[0]?.startsWith('Out of date'));
      assert.deepEqual(lost.slice(-4), ['Lab', '2 agents waiting for you', '[Job 0]', '[Job 1]']);
    });
  });
});
