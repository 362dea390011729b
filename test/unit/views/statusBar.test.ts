import assert from 'node:assert/strict';
import type { Session } from '../../../src/state/session';
import { statusBarContent, type StatusBarState } from '../../../src/views/statusBar';
import { aClient, anError } from '../../support/builders/client';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };
const ready: Session = { kind: 'ready', connection, client: aClient() };
const failed = (kind: 'refused' | 'unreachable'): Session => ({
  kind,
  connection,
  client: aClient(),
  error: anError(kind === 'refused' ? 'unauthorized' : 'reset'),
  newerGeneration: false,
});
const content = (values: Partial<StatusBarState>) =>
  statusBarContent({
    session: ready,
    runningSandboxes: 3,
    waitingConversations: 0,
    stale: false,
    ...values,
  });

describe('the status bar item', () => {
  it('is not there without a connection that has a key', () => {
    assert.equal(content({ session: { kind: 'none' } }), undefined);
    assert.equal(content({ session: { kind: 'noKey', connection } }), undefined);
  });

  it('names the connection and what runs', () => {
    assert.deepEqual(content({}), {
      text: '$(vm) Team · 3 running',
      tooltip: 'Team\n3 sandboxes run',
      attention: false,
    });
    assert.equal(content({ runningSandboxes: undefined })?.text, '$(vm) Team');
  });

  it('says that agents wait, and stands out then, also where no sandbox was read', () => {
    const one = content({ waitingConversations: 1 });
    assert.deepEqual(one, {
      text: '$(bell-dot) Team · 3 running · 1 agent waits for you',
      tooltip: 'Team\n3 sandboxes run\n1 agent waits for you',
      attention: true,
    });
    const several = content({ waitingConversations: 2, runningSandboxes: undefined });
    assert.equal(several?.text, '$(bell-dot) Team · 2 agents wait for you');
  });

  it('stands out for a refused key, which needs the user, and not for a service that is away', () => {
    assert.equal(content({ session: failed('refused') })?.attention, true);
    for (const values of [{ session: failed('unreachable') }, { stale: true, waitingConversations: 1 }]) {
      const shown = content(values);
      assert.equal(shown?.attention, false);
      assert.match(shown.tooltip, /not reachable/);
    }
  });

  it('draws no icon out of a name', () => {
    const named: Session = { ...ready, connection: { ...connection, name: '$(zap)\u202eTeam' } };
    assert.equal(content({ session: named })?.text, '$(vm) $ (zap)Team · 3 running');
  });
});
