import type { Handler } from '../../src/editor/handler';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiClient } from '../../src/api/service/client';
import type { Conversation } from '../../src/api/service/schemas/conversation';
import { deleteConversation } from '../../src/features/live/commands/delete';
import { copyLink } from '../../src/features/live/commands/copyLink';
import { rename } from '../../src/features/conversations/commands/rename';
import { steer } from '../../src/features/live/commands/steer';
import { mark, shelve } from '../../src/features/conversations/commands/marks';
import { openNextWaiting } from '../../src/features/conversations/commands/nextWaiting';
import { open } from '../../src/features/live/commands/open';
import { commandHandlers } from '../../src/compose/commands/index';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { held, onItsConnection, onTab } from '../../src/features/targets/commands/held';
import { onAttempts } from '../../src/features/targets/commands/selected';
import { type CommandId, commandIds } from '../../src/ids';
import { Shelf } from '../../src/features/conversations/model/shelf';
import { aClient } from '../support/builders/client';
import { aConversation, aList } from '../support/builders/records';

const id = '0123456789abcdef0123456789abcdef';
const [here, there, third] = ['https://here.example', 'https://there.example', 'https://third.example'];

describe('commands on rows of other connections, where each has a conversation with the same id', () => {
  const { window, env } = vscode;
  const { showInformationMessage, showWarningMessage, showErrorMessage, createInputBox } = window;
  const { openExternal } = env;
  let asked: string[];
  let said: string[];
  let opened: string[];
  let shown: unknown[];
  let marked: unknown[];
  let at: string;
  let agrees: boolean;
  let settled: 'kept' | 'restored' | 'lost';
  let keepsTags: boolean;
  let needs: CommandDependencies;

  const row = (service?: string) => ({ ref: { kind: 'conversation', id, ...(service && { service }) } });
  const recordOf = (service: string): Conversation =>
    aConversation({ id, title: `On ${service}`, execution_status: 'running' });
  const clientOf = (baseUrl: string): ApiClient =>
    aClient({
      baseUrl,
      conversationPageUrl: (of: string) => `${baseUrl}/conversations/${of}`,
      tagConversation: (of: string, change: object) => {
        asked.push(`tag ${baseUrl} ${of} ${JSON.stringify(change)}`);
        return Promise.resolve(keepsTags || undefined);
      },
      settleTags: () => Promise.resolve(settled),
      renameConversation: (of: string, title: string) => {
        asked.push(`rename ${baseUrl} ${of}`);
        return Promise.resolve(title);
      },
      listConversations: () => {
        asked.push(`list ${baseUrl}`);
        return Promise.resolve({ items: [recordOf(baseUrl)], nextPageId: null });
      },
    });

  beforeEach(() => {
    [asked, said, opened, shown, marked, at, agrees] = [[], [], [], [], [], here, true];
    settled = 'kept';
    keepsTags = true;
    const say = (message: string, options?: unknown, ...buttons: string[]) => {
      said.push(message);
      const isQuestion = typeof options === 'object';
      return Promise.resolve(isQuestion && agrees ? buttons[0] : undefined);
    };
    Object.assign(window, { showInformationMessage: say, showWarningMessage: say, showErrorMessage: say });
    Object.assign(env, {
      openExternal: (uri: vscode.Uri) => Promise.resolve(Boolean(opened.push(uri.toString(true)))),
    });
    const clients = new Map([here, there, third].map((service) => [service, clientOf(service)]));
    const store = new Map<string, unknown>();
    needs = {
      session: {
        get current() {
          return { kind: 'ready', client: clients.get(at), connection: { baseUrl: at } };
        },
        reload: () => Promise.resolve(),
      },
      activeConnection: {
        choose: (connection: { baseUrl: string }) => Promise.resolve(void (at = connection.baseUrl)),
      },
      listConnections: () => ({
        connections: [here, there, third].map((baseUrl) => ({ name: new URL(baseUrl).hostname, baseUrl })),
        problems: [],
      }),
      model: {
        get service() {
          return at;
        },
        conversation: () => recordOf(at),
        conversations: { state: aList([]) },
        waitingConversations: [],
        refresh: () => Promise.resolve(void asked.push(`refresh ${at}`)),
      },
      others: {
        find: (service: string) => ({ client: clients.get(service), chosen: recordOf(service) }),
        refresh: (service: string) => Promise.resolve(void asked.push(`refresh ${service}`)),
        waiting: [],
      },
      marks: {
        isUnread: () => true,
        markRead: (service: string, some: readonly Conversation[]) =>
          marked.push([service, some.map(({ title }) => title)]),
        markUnread: () => undefined,
        acted: (service: string, isMeant: (one: Conversation) => boolean) =>
          asked.push(`acted ${service} ${isMeant(recordOf(service))}`),
      },
      shelf: new Shelf(
        { get: (key) => store.get(key), update: (key, value) => Promise.resolve(void store.set(key, value)) },
        (service) => service,
      ),
      starts: { titles: { leave: () => undefined } },
      isShelfTold: () => true,
      shelfTold: () => Promise.resolve(),
      activeConversation: () => undefined,
      activeTab: () => undefined,
      showConversation: (...args: unknown[]) => Promise.resolve(void shown.push(args)),
      conversations: {
        service: here,
        hold: () => ({ reached: Promise.resolve(), dispose: () => undefined }),
        model: (of: string, service = here) => ({
          id: of,
          head: { title: '', about: { repository: '' } },
          signal: new AbortController().signal,
          isCurrent: true,
          readings: 1,
          keepCurrent: () => ({ dispose: () => undefined }),
          onDidChange: () => ({ dispose: () => undefined }),
          pause: () => Promise.resolve((asked.push(`pause ${service}`), { kind: 'done' })),
        }),
      },
    } as unknown as CommandDependencies;
  });
  afterEach(() => {
    Object.assign(window, { showInformationMessage, showWarningMessage, showErrorMessage, createInputBox });
    Object.assign(env, { openExternal });
  });

  it('pin the one on its own service', async () => {
    await shelve(needs, 'pinned', true)(row(there));
    assert.deepEqual(asked, [`tag ${there} ${id} {"agentworkspacepinned":"yes"}`, `refresh ${there}`]);
  });

  it('say in one short line that pins are kept on this computer', async () => {
    keepsTags = false;
    Object.assign(needs, { isShelfTold: () => false });
    await shelve(needs, 'pinned', true)(row(there));
    assert.deepEqual(said, ['Kept on this computer, not by the service.']);
  });

  it('read again what other clients changed at the same time, and say what they won’t leave', async () => {
    const refreshed = () => asked.filter((ask) => ask.startsWith('refresh')).length;
    for (settled of ['restored', 'lost'] as const) {
      asked = [];
      await shelve(needs, 'pinned', true)(row(there));
      while (refreshed() < 2) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(said.length, 1);
  });

  it('archive all that are selected, each on its own service', async () => {
    await shelve(needs, 'archived', true)(row(there), [row(there), row(), row(third)]);
    const tagged = asked.filter((ask) => ask.startsWith('tag'));
    assert.deepEqual(tagged.map((ask) => ask.split(' ')[1]).sort(), [here, there, third]);
  });

  it('mark those of each service as read', async () => {
    await mark(needs, 'read')(row(there), [row(there), row(third)]);
    assert.deepEqual(marked, [
      [there, [`On ${there}`]],
      [third, [`On ${third}`]],
    ]);
  });

  it('rename the one on its own service', async () => {
    const box = {
      value: '',
      onDidAccept: (accept: () => unknown) =>
        setImmediate(() => {
          box.value = 'New name';
          accept();
        }),
      onDidHide: () => undefined,
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      show: () => undefined,
      hide: () => undefined,
      dispose: () => undefined,
    };
    Object.assign(window, { createInputBox: () => box });
    await rename(needs)(row(there));
    assert.deepEqual(asked, [`acted ${there} true`, `rename ${there} ${id}`, `refresh ${there}`]);
  });

  it('open the page of the one on its own service, and copy a link to it', async () => {
    await open(needs)(row(there));
    assert.deepEqual(opened, [`${there}/conversations/${id}`]);
    await copyLink(needs)(row(there));
    assert.ok(decodeURIComponent(await env.clipboard.readText()).includes(there));
    assert.deepEqual(said, []);
  });

  it('pause all agents that are selected, each on its own service', async () => {
    const pause = held(needs.conversations, steer(needs, 'pause'));
    await pause(row(), [row(), row(there)]);
    assert.deepEqual(asked, [`pause ${here}`, `pause ${there}`]);
  });

  it('pause the other agents if some can’t be paused, and name those', async () => {
    const problem = 'The sandbox is paused. Resume it first.';
    const model = needs.conversations.model.bind(needs.conversations);
    Object.assign(needs.conversations, {
      model: (of: string, service = here) =>
        Object.assign(model(of, service)!, {
          ...(service === here && { pause: () => Promise.resolve({ kind: 'refused', problem }) }),
          ...(service === there && { signal: AbortSignal.abort() }),
        }),
    });
    await held(needs.conversations, steer(needs, 'pause'))(row(), [row(), row(there), row(third)]);
    assert.deepEqual(asked, [`pause ${third}`]);
    assert.equal(said[0], `Couldn’t pause “On ${here}”, “On ${there}”. ${problem}`);
    assert.equal(said.length, 2);
  });

  it('act on all attempts whose row is selected, each once', async () => {
    const attempts = { ref: { kind: 'attempts', ids: [id, 'other'], service: there } };
    const archive = onAttempts(shelve(needs, 'archived', true));
    const tagged = () => asked.filter((ask) => ask.startsWith('tag')).length;
    await archive(attempts);
    assert.equal(tagged(), 2);
    await archive(row(there), [row(there), attempts, row(third)]);
    assert.equal(tagged(), 5);
    const pause = onAttempts(held(needs.conversations, steer(needs, 'pause')));
    await pause({ ref: { ...attempts.ref, ids: [id] } });
    assert.deepEqual(asked.at(-1), `pause ${there}`);
  });

  it('aren’t waited for by commands that are never about a conversation', async () => {
    const holding: string[] = [];
    const conversations = {
      hold: (service: string) => {
        holding.push(service);
        return needs.conversations.hold(service);
      },
    };
    const all = new Proxy(Object.assign({}, needs, { conversations }), {
      get: (target, name) => (Reflect.get(target, name) as unknown) ?? {},
    });
    let loaded = 0;
    const handlerOf = commandHandlers(all, () => {
      loaded += 1;
      return Promise.resolve(all);
    });
    const run = async (id: CommandId) => (await handlerOf(id))(row(there));
    await run(commandIds.viewLoadMore);
    assert.deepEqual([loaded, holding], [0, []]);
    await run(commandIds.conversationOpen);
    assert.deepEqual([loaded, holding], [1, [there]]);
  });

  describe('that need the lists of its connection', () => {
    let ran: unknown[];
    let command: Handler;
    beforeEach(() => {
      ran = [];
      command = onItsConnection(needs, commandIds.conversationDelete, (...args) =>
        Promise.resolve(void ran.push([at, ...args])),
      );
    });

    it('switch to it first, if the user agrees', async () => {
      await command(row(there));
      assert.deepEqual(ran, [[there, row(there)]]);
      assert.deepEqual(said, ['Switch to there.example?']);
    });

    it('do nothing unless the user agrees', async () => {
      agrees = false;
      await command(row(there));
      assert.deepEqual([ran, at], [[], here]);
    });

    it('refuse rows of several connections', async () => {
      for (const rows of [
        [row(), row(there)],
        [row(there), row(third)],
      ])
        await command(rows[0], rows);
      assert.deepEqual([ran, at], [[], here]);
      assert.match(said.join(' '), /one connection only/);
    });

    it('don’t ask about rows of the window’s own', async () => {
      await command(row());
      await command(row(here));
      assert.deepEqual([ran.length, said], [2, []]);
    });

    it('never take the id for one of the window’s own', async () => {
      await deleteConversation(needs)(row(there));
      assert.match(said.join(), /nothing was done/);
      assert.deepEqual(
        asked.filter((ask) => !ask.startsWith('refresh')),
        [],
      );
    });
  });

  it('take the conversation in the active tab, if no row was given', async () => {
    let service = there;
    const command = onTab(
      { ...needs, activeTab: () => ({ id, service }) },
      commandIds.conversationRename,
      (...args) => Promise.resolve(void shown.push(args)),
    );
    await command();
    await command({ webviewSection: 'conversation' });
    await command(row());
    service = here;
    await command();
    assert.deepEqual(shown, [[row(there)], [row(there)], [row()], []]);
  });

  it('open the next agent that waits, on whichever connection', async () => {
    const connection = { baseUrl: there, name: 'There', origin: there };
    Object.assign(needs.others, { waiting: [{ connection, conversations: [recordOf(there)] }] });
    await openNextWaiting(needs)();
    Object.assign(needs.model, { waitingConversations: [recordOf(here)] });
    await openNextWaiting({ ...needs, activeTab: () => ({ id, service: there }) })();
    assert.deepEqual(shown, [
      [id, 'pending', there],
      [id, 'pending'],
    ]);
  });
});
