import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CustomSecretCalls } from '../../src/api/service/current/customSecrets';
import type { Sandbox } from '../../src/api/service/schemas/sandbox';
import type { ServiceSettings } from '../../src/api/service/schemas/settings';
import { connect } from '../../src/features/connection/commands/connect';
import { filter } from '../../src/features/conversations/commands/filter';
import { followLink } from '../../src/features/live/commands/followLink';
import { open } from '../../src/features/live/commands/open';
import { revealSandbox } from '../../src/features/conversations/commands/revealSandbox';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { manage } from '../../src/features/managing/commands/manage';
import { chooseSandboxes } from '../../src/features/sandboxes/commands/chooseSandboxes';
import { openUrl } from '../../src/features/sandboxes/commands/openUrl';
import { setKey } from '../../src/features/connection/commands/setKey';
import { commandIds } from '../../src/ids';
import { readConnections, updateConnections } from '../../src/editor/settings';
import type { Connection, ConnectionEntry, NetworkOptions } from '../../src/shared/connection';
import type { ListState } from '../../src/core/lists/resourceList';
import type { ServiceModel } from '../../src/core/lists/serviceModel';
import { SessionStore } from '../../src/core/session/session';
import { aClient, anError, type FlatClient } from '../support/builders/client';
import { aConversation, aList, aSandbox } from '../support/builders/records';
import { answering } from './answering';

const connection = { name: 'Team', baseUrl: 'https://one.example.com', origin: 'https://one.example.com' };

/** An input box that accepts `text` as soon as it shows, and again after each of `retries`. */
function filledBox(text: string, ...retries: (() => Promise<unknown>)[]) {
  const hidden: (() => unknown)[] = [];
  const box = {
    value: '',
    onDidAccept: (accept: () => Promise<unknown>) =>
      setImmediate(() => {
        box.value = text;
        const accepted = retries.reduce((last, retry) => last.then(retry).then(accept), accept());
        void accepted.then(() => hidden.forEach((hide) => hide()));
      }),
    onDidHide: (hide: () => unknown) => hidden.push(hide),
    onDidChangeValue: () => undefined,
    onDidTriggerButton: () => undefined,
    show: () => undefined,
    dispose: () => undefined,
  };
  return box;
}

describe('commands when something changes in the meantime', () => {
  const { window, env } = vscode;
  const original = { ...window };
  const { openExternal } = env;
  let said: string[];
  let opened: string[];

  beforeEach(() => {
    [said, opened] = [[], []];
    const say = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(window, { showInformationMessage: say, showErrorMessage: say });
    Object.assign(env, {
      openExternal: (uri: vscode.Uri) => Promise.resolve(opened.push(uri.toString(true)) > 0),
    });
  });
  afterEach(() => {
    const { showInformationMessage, showErrorMessage, createInputBox } = original;
    Object.assign(window, { showInformationMessage, showErrorMessage, createInputBox });
    Object.assign(env, { openExternal });
  });

  it('open only the row’s URL', async () => {
    const editor = { name: 'VSCODE', url: 'https://editor.example.com/' };
    const sandbox = aSandbox({ exposed_urls: [editor] });
    const model = { sandboxesNow: () => Promise.resolve([sandbox]) } as unknown as ServiceModel;
    const row = (name: string) => ({ ref: { kind: 'url', sandboxId: sandbox.id, name } });
    await openUrl({ model })(row('AGENT_SERVER'));
    assert.deepEqual(opened, []);
    await openUrl({ model })(row('VSCODE'));
    assert.deepEqual(opened, [editor.url]);
  });

  it('open the page of a conversation that isn’t in the list', async () => {
    const client: FlatClient = {
      ...aClient(),
      conversationPageUrl: (id) => `https://one.example.com/c/${id}`,
    };
    const needs = {
      session: { current: { kind: 'ready', connection, client } },
      model: { conversation: () => undefined },
      activeConversation: () => undefined,
    } as unknown as CommandDependencies;
    await open(needs)({ ref: { kind: 'conversation', id: 'c-9' } });
    assert.deepEqual(opened, ['https://one.example.com/c/c-9']);
  });

  it('say that there are no sandboxes only if the list was read', async () => {
    const choose = (loaded: boolean, trouble?: { error: Error }) => {
      const model = {
        sandboxesNow: () => Promise.resolve([]),
        refresh: () => Promise.resolve(),
        conversations: { state: aList([]) },
        sandboxes: { state: aList([], { loaded }) },
        outOfDate: () => trouble,
      } as unknown as ServiceModel;
      return chooseSandboxes(model, [], { title: 'Resume', fits: () => true, none: 'None.' });
    };
    assert.deepEqual([await choose(true), said.splice(0)], [[], ['None.']]);
    assert.deepEqual(await choose(true, { error: anError('refused') }), []);
    assert.match(said.splice(0).join(), /^Couldn’t read the sandboxes/);
    // The window switched to another connection, and the old one’s refresh ended.
    assert.deepEqual(await choose(false), []);
    assert.match(said.join(), /^The connection changed/);
  });

  it('say that a conversation’s sandbox is gone only if the whole list was read', async () => {
    const revealFrom = async (list: Partial<ListState<Sandbox>>, trouble?: { error: Error }) => {
      const model = {
        conversation: () => aConversation(),
        sandboxesNow: () => Promise.resolve([]),
        sandboxes: { state: aList<Sandbox>([], list) },
        outOfDate: () => trouble,
      } as unknown as ServiceModel;
      const reveal = () => assert.fail('there is no row');
      await revealSandbox({ model, activeConversation: () => undefined, reveal })({
        ref: { kind: 'conversation', id: 'c-1' },
      });
      return said.splice(0).join();
    };
    assert.match(await revealFrom({}), /no longer lists the sandbox/);
    assert.match(await revealFrom({ nextPageId: '2' }), /isn’t loaded\. Select “Load more”/);
    assert.match(await revealFrom({}, { error: anError('refused') }), /^Couldn’t read the sandboxes/);
    assert.match(await revealFrom({ loaded: false }), /^The connection changed/);
  });

  it('filter the conversations that the window had, and no others', async () => {
    const at = (baseUrl: string) => ({ kind: 'ready', connection, client: aClient({ baseUrl }) });
    const session = { current: at('https://one.example.com') };
    const set: unknown[] = [];
    const model = {
      filter: undefined,
      conversations: { state: aList([]) },
      setFilter: (chosen: unknown) => Promise.resolve(void set.push(chosen)),
    };
    const needs = { session, model } as unknown as CommandDependencies;
    const switched = () => {
      session.current = at('https://two.example.com');
      return 'login';
    };
    const answers = answering(['Title', 'login', 'Title', '', 'Title', switched]);
    try {
      await filter(needs)();
      await filter(needs)();
      assert.deepEqual([set.splice(0), answers.said], [[{ title: 'login' }, undefined], []]);
      await filter(needs)();
    } finally {
      answers.restore();
    }
    assert.deepEqual(set, []);
    assert.match(answers.said.join(), /^The connection changed/);
  });

  it('store no session key for a removed connection', async () => {
    let connections = [connection];
    const stored: unknown[] = [];
    const needs = {
      session: {
        current: { kind: 'noKey', connection },
        reload: () => Promise.resolve(),
        verify: () => Promise.resolve(),
      },
      keys: {
        get: () => Promise.resolve(undefined),
        set: (...key: unknown[]) => Promise.resolve(void stored.push(key)),
      },
      listConnections: () => ({ connections }),
      createClient: () => aClient({ getSettings: () => Promise.resolve({ llm_api_key_set: false }) }),
    } as unknown as CommandDependencies;
    Object.assign(window, { createInputBox: () => filledBox('k1') });
    await setKey(needs)();
    assert.deepEqual(stored.splice(0), [[connection.origin, 'k1']]);
    connections = [];
    await setKey(needs)();
    assert.deepEqual(stored, []);
    assert.match(said.at(-1) ?? '', /nothing was done/);
  });

  it('connect with the network options currently in the settings, and keep them', async () => {
    const { baseUrl: url } = connection;
    const beside = (entries: ConnectionEntry[]) => entries.filter((entry) => entry.url !== url);
    const setNetwork = (network: NetworkOptions) =>
      updateConnections((entries) => [...beside(entries), { name: 'Team', url, network }]);
    const used: unknown[] = [];
    const [corrected, latest] = [{ caFile: '/ca.pem' }, { caFile: '/ca.pem', noProxy: 'one.example.com' }];
    const needs = {
      session: {
        current: { kind: 'none' },
        reload: () => Promise.resolve(),
        verify: () => Promise.resolve(),
      },
      // Read after the address check.
      keys: { get: () => setNetwork(latest), has: () => false, set: () => Promise.resolve() },
      activeConnection: { choose: () => Promise.resolve() },
      focusConversations: () => Promise.resolve(),
      listConnections: readConnections,
      createClient: ({ network }: Connection) => {
        used.push(network);
        return aClient({ getSettings: () => Promise.resolve({ llm_api_key_set: false }) });
      },
    } as unknown as CommandDependencies;
    const boxes = [filledBox(url, () => setNetwork(corrected)), filledBox('Ours'), filledBox('k1')];
    Object.assign(window, { createInputBox: () => boxes.shift() });
    await setNetwork({ caFile: 'relative.pem' });
    await connect(needs)();
    const stored = readConnections().connections.find(({ baseUrl }) => baseUrl === url);
    await updateConnections(beside);
    assert.deepEqual(used, [corrected, corrected]);
    assert.deepEqual([stored?.name, stored?.network], ['Ours', latest]);
  });

  it('retry with the key set after the old one was refused', async () => {
    let sessionKey = 'old';
    const { baseUrl } = connection;
    const session = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey }),
      createClient: (_connection, key) => {
        const deleteSecret = () =>
          key === 'new' ? Promise.resolve() : Promise.reject(anError('unauthorized', 401));
        return aClient({ baseUrl, origin: baseUrl, deleteSecret });
      },
    });
    await session.reload();
    const setNewKey = async (message: string, ...buttons: string[]) => {
      said.push(message);
      sessionKey = 'new';
      await session.reload();
      return said.length > 1 ? undefined : buttons[0];
    };
    Object.assign(window, { showErrorMessage: setNewKey });
    const lock = { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) };
    let asked = 0;
    await manage(
      { session, lock, refreshSettingsForm: () => Promise.resolve() },
      {
        lacking: '',
        unread: '',
        group: ({ secrets }) => secrets,
        read: () => Promise.resolve(''),
        choose: () => {
          asked += 1;
          const make = (secrets: CustomSecretCalls) => secrets.deleteSecret('TOKEN');
          return Promise.resolve(asked > 1 ? undefined : { progress: '', failed: 'Failed.', make });
        },
      },
    );
    session.dispose();
    assert.deepEqual([asked, said.length], [2, 1]);
  });

  it('manage what an updated service offers', async () => {
    const manageAt = async (isUpdated: boolean, settings: Promise<ServiceSettings>) => {
      let isKnown = false;
      const client = aClient({
        baseUrl: connection.baseUrl,
        getSettings: () => {
          isKnown = isUpdated;
          return settings;
        },
      });
      const session = { current: { kind: 'ready', connection, client } };
      let shown = 0;
      await manage({ session } as unknown as CommandDependencies, {
        lacking: 'Lacking.',
        unread: 'Unread.',
        group: (found) => (isKnown ? found : undefined),
        read: () => Promise.resolve(''),
        choose: () => Promise.resolve(void (shown += 1)),
      });
      return [shown, said.splice(0).join()];
    };
    assert.deepEqual(await manageAt(true, Promise.resolve({})), [1, '']);
    assert.deepEqual(await manageAt(false, Promise.resolve({})), [0, 'Lacking.']);
    const [shown, failure] = await manageAt(false, Promise.reject(anError('refused')));
    assert.deepEqual([shown, String(failure).startsWith('Unread.')], [0, true]);
  });

  it('follow a link to this window’s connection, even without its key', async () => {
    const ran: unknown[] = [];
    await followLink(
      { session: { current: { kind: 'noKey', connection } } } as unknown as CommandDependencies,
      { baseUrl: connection.baseUrl, id: 'c-1' },
      (...call) => Promise.resolve(void ran.push(call)),
      () => Promise.resolve(assert.fail('there was no need to connect')),
    );
    assert.deepEqual(ran, [[commandIds.conversationShow, [{ ref: { kind: 'conversation', id: 'c-1' } }]]]);
  });
});
