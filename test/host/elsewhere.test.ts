import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createLimiter } from '../../src/api/http/limiter';
import { chooseConversation } from '../../src/features/targets/commands/chooseConversation';
import { answer, showConversation } from '../../src/features/live/commands/show';
import { openAsText } from '../../src/features/live/commands/transcript';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { held } from '../../src/features/targets/commands/held';
import { commandIds } from '../../src/ids';
import type { Connection } from '../../src/shared/connection';
import type { ServiceModel } from '../../src/core/lists/serviceModel';
import { LiveModels } from '../../src/features/live/model/conversationModels';
import { notify } from '../../src/features/attention/rows/notifier';
import { conversationPorts } from '../support/builders/ports';
import { hastyClock } from '../unit/api/support/client';
import { aClient } from '../support/builders/client';
import { aMessage } from '../unit/transcript/events';

const id = '0123456789abcdef0123456789abcdef';
const [here, there] = ['https://here.example', 'https://there.example'];

describe('a conversation of a service that the window isn’t on, where both have its id', () => {
  let asked: string[];
  let said: string[];
  let presses: string | undefined;
  let shown: unknown[];
  let hasKey: boolean;
  let models: LiveModels;
  let needs: CommandDependencies;
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const at = { ref: { kind: 'conversation', id, service: there } };

  const client = (baseUrl: string) => {
    const noting = <T>(answered: T) => {
      asked.push(baseUrl);
      return Promise.resolve(answered);
    };
    return aClient({
      baseUrl,
      getConversation: () => noting(null),
      searchEvents: () => noting({ items: [aMessage(`Written on ${baseUrl}`)], nextPageId: null }),
    });
  };
  const serviceOf = (baseUrl: string) => ({ client: client(baseUrl), connection: {} as Connection });

  beforeEach(() => {
    [asked, said, shown, hasKey, presses] = [[], [], [], true, undefined];
    const say = (message: string) => Promise.resolve((said.push(message), presses));
    Object.assign(vscode.window, { showInformationMessage: say, showWarningMessage: say });
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    models = new LiveModels({
      session: { current: serviceOf(here), onDidChange: () => ({ dispose: () => undefined }) } as never,
      portsOf: (service) => () => conversationPorts(service.client, options),
      origins: { forgetRefusals: () => Promise.resolve() },
      reach: (baseUrl) => Promise.resolve(hasKey ? serviceOf(baseUrl) : undefined),
    });
    needs = {
      conversations: models,
      listConnections: () => ({ connections: [] }),
      model: { service: here, conversation: () => assert.fail('the lists are those of another service') },
      activeTab: () => undefined,
      showDocument: (_title: string, text: string) => Promise.resolve(void shown.push(text)),
      showConversation: (...args: unknown[]) => Promise.resolve(void shown.push(args)),
    } as unknown as CommandDependencies;
  });
  afterEach(() => {
    models.dispose();
    Object.assign(vscode.window, { showInformationMessage, showWarningMessage });
  });

  it('is read from its own service, which is reached for that and then let go', async () => {
    await held(models, openAsText(needs))(at);
    assert.match(String(shown[0]), /Written on https:\/\/there\.example/);
    assert.deepEqual([[...new Set(asked)], said], [[there], []]);
    assert.equal(models.model(id, there), undefined);
  });

  it('is read from its own service when its tab is the active one', async () => {
    const tab = models.hold(there);
    await tab.reached;
    const inTab = { ...needs, activeTab: () => ({ id, service: there }) };
    await held(models, openAsText(inTab))();
    assert.match(String(shown[0]), /Written on https:\/\/there\.example/);
    assert.deepEqual([...new Set(asked)], [there]);
    tab.dispose();
  });

  it('opens in its own tab, at the card where its agent waits', async () => {
    await held(models, showConversation(needs))(at);
    await held(
      models,
      answer(needs, () => 'Review Actions'),
    )(at);
    assert.deepEqual(shown, [
      [id, undefined, there],
      [id, 'pending', there],
    ]);
    assert.deepEqual(said, []);
  });

  it('says so where this computer has no key for its service', async () => {
    hasKey = false;
    await held(models, openAsText(needs))(at);
    assert.deepEqual([shown, asked], [[], []]);
    assert.match(said.join(), /is on “https:\/\/there\.example”, which this computer isn’t connected to/);
    const named = { ...needs, listConnections: () => ({ connections: [{ name: 'Lab', baseUrl: there }] }) };
    await held(models, openAsText(named as unknown as CommandDependencies))(at);
    assert.equal(said[1], 'This conversation is on “Lab”, which this computer isn’t connected to.');
  });

  it('is never taken for that of the lists', async () => {
    const { model } = needs;
    assert.equal(await chooseConversation(model, at, { title: 'Delete Conversation' }), undefined);
    assert.match(said.join(), /nothing was done/);
  });

  it('opens from a notification about it, without switching the window', async () => {
    presses = 'Show';
    const ran: unknown[] = [];
    const parts = {
      session: { current: { kind: 'ready', ...serviceOf(here) } },
      model: {
        conversation: () => undefined,
        conversations: { state: { items: [] } },
      } as unknown as ServiceModel,
      attempts: { of: () => undefined },
      reveal: () => assert.fail('its row isn’t in the view'),
      run: (...args: unknown[]) => Promise.resolve(void ran.push(args)),
    } as unknown as Parameters<typeof notify>[0];
    for (const kind of ['agentWaits', 'agentEnded'] as const)
      await notify(parts, { baseUrl: there, events: [{ kind, id, title: 'Mend it' }] as never });
    assert.deepEqual(ran, [
      [commandIds.conversationReview, [at]],
      [commandIds.conversationShow, [at]],
    ]);
  });

  it('shows a sandbox in a notification about it after switching the window, if the user agrees', async () => {
    const done: unknown[] = [];
    let current = { kind: 'ready', ...serviceOf(here) };
    const parts = {
      session: {
        get current() {
          return current;
        },
        reload: () =>
          Promise.resolve(
            (current = {
              kind: 'ready',
              client: client(there),
              connection: { baseUrl: there } as Connection,
            }),
          ),
      },
      model: {
        sandboxes: { get: () => undefined },
        conversations: { state: { items: [] } },
        sandboxesNow: (ids: unknown) => Promise.resolve(done.push(ids)),
      },
      activeConnection: { choose: () => Promise.resolve() },
      listConnections: () => ({ connections: [{ name: 'Lab', baseUrl: there }] }),
      reveal: (ref: unknown) => Promise.resolve(void done.push(ref)),
    } as unknown as Parameters<typeof notify>[0];
    const news = { baseUrl: there, events: [{ kind: 'sandboxFailed', id: 'box', since: 0 } as const] };
    presses = 'Show';
    await notify(parts, news);
    assert.deepEqual([done, said[1]], [[], 'Switch to Lab?']);
    const say = (message: string) => Promise.resolve(message === 'Switch to Lab?' ? 'Switch' : 'Show');
    Object.assign(vscode.window, { showInformationMessage: say, showWarningMessage: say });
    await notify(parts, news);
    assert.deepEqual(done, [['box'], { kind: 'sandbox', id: 'box' }]);
  });

  it('is opened at the run that failed, on its own connection', async () => {
    presses = 'Show';
    const ran: unknown[] = [];
    const parts = {
      session: { current: { kind: 'ready', ...serviceOf(here) } },
      model: { conversation: () => undefined },
      run: (...args: unknown[]) => Promise.resolve(void ran.push(args)),
    } as unknown as Parameters<typeof notify>[0];
    const event = {
      kind: 'automationFailed',
      id: 'r-1',
      automation: 'a-1',
      since: 0,
      title: 'Report',
    } as const;
    await notify(parts, { baseUrl: there, events: [event], connection: 'Lab' });
    const ref = { kind: 'automation', id: 'a-1', service: there, run: 'r-1' };
    assert.deepEqual(ran, [[commandIds.automationShowRuns, [{ ref }]]]);
    assert.deepEqual(said, ['On Lab: The automation “Report” failed.']);
  });

  it('is told apart from other attempts in a notification about them', async () => {
    const parts = {
      session: { current: { kind: 'ready', ...serviceOf(here) } },
      model: { conversation: () => undefined },
      attempts: { of: (service: string, { id }: { id: string }) => ({ label: `${id} of ${service}` }) },
    } as unknown as Parameters<typeof notify>[0];
    const events = ['a', 'b'].map(
      (one) => ({ kind: 'agentEnded', id: one, since: 0, title: 'Mend it' }) as const,
    );
    await notify(parts, { baseUrl: 'us', events });
    assert.deepEqual(said, ['2 agents have finished: “a of us – Mend it”, “b of us – Mend it”.']);
  });

  it('is named with its connection in a notification about it, and never by the lists', async () => {
    const parts = {
      session: { current: { kind: 'ready', ...serviceOf(here) } },
      model: needs.model,
    } as unknown as Parameters<typeof notify>[0];
    const event = { kind: 'agentWaits', id, since: 0, title: 'Mend it' } as const;
    await notify(parts, { baseUrl: there, events: [event], connection: 'Lab' });
    assert.deepEqual(said, ['On Lab: “Mend it” is waiting for you.']);
  });
});
