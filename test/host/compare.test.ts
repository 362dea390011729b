import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Conversation } from '../../src/api/service/schemas/conversation';
import { compareConversations } from '../../src/features/compare/commands/compare';
import { type ComparisonDependencies, ComparisonPanels } from '../../src/features/compare/panel/panel';
import { settleOthers } from '../../src/features/compare/commands/take';
import { commandIds, panelTypes } from '../../src/ids';
import { Attempts } from '../../src/features/start/model/attempts';
import { aClient } from '../support/builders/client';
import { aConversation } from '../support/builders/records';
import { control } from '../support/hostRun';

interface Known {
  id: string;
  selected_repository: string | null;
}

const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes(panelTypes.compare),
    );

const untilTabs = (hold: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!hold()) return;
      following.dispose();
      resolve();
    };
    const following = vscode.window.tabGroups.onDidChangeTabs(look);
    look();
  });

/** What the user is told while `act` runs. */
async function toldBy(act: () => Thenable<unknown>, answer?: string): Promise<string[]> {
  const { showWarningMessage, showInformationMessage } = vscode.window;
  const told: string[] = [];
  const say = (message: string, options?: vscode.MessageOptions) => {
    told.push(message, ...(options?.detail?.split('\n') ?? []));
    return Promise.resolve(answer);
  };
  Object.assign(vscode.window, { showWarningMessage: say, showInformationMessage: say });
  try {
    await act();
  } finally {
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
  }
  return told;
}

describe('comparing conversations', () => {
  let all: Known[];
  before(async () => {
    await vscode.commands.executeCommand(commandIds.viewRefresh);
    all = ((await control('state')) as { conversations: Known[] }).conversations;
  });
  afterEach(() => vscode.window.tabGroups.close(tabs()));

  it('opens one tab for the same conversations', async () => {
    const refs = all
      .filter((one) => one.selected_repository === 'gridworks/tariffs')
      .slice(0, 2)
      .map(({ id }) => ({ ref: { kind: 'conversation', id } }));
    assert.equal(refs.length, 2);
    await vscode.commands.executeCommand(commandIds.conversationCompare, refs[0], refs);
    await untilTabs(() => tabs().length > 0);
    await vscode.commands.executeCommand(commandIds.conversationCompare, refs[1], refs.toReversed());
    assert.equal(tabs().length, 1);
  });

  it('takes the place of the tab that a reload left of the same conversations', async () => {
    const stored = new Map<string, unknown>();
    const none = () => ({ dispose: () => undefined });
    const open = () =>
      new ComparisonPanels({
        extensionUri: vscode.Uri.file('/none'),
        conversations: { model: () => undefined, hold: none, onDidChange: none },
        memento: {
          get: (key: string) => stored.get(key),
          update: (...set: [string, unknown]) => stored.set(...set),
        },
        connectionTo: none,
        onDidChangeStarts: none,
      } as unknown as ComparisonDependencies);
    const service = 'https://one.example';
    open().show(service, ['a', 'b']);
    await untilTabs(() => tabs().length === 1);
    const [left] = tabs();
    open().show(service, ['b', 'a']);
    await untilTabs(() => tabs().length === 1 && tabs()[0] !== left);
    open().show(service, ['a', 'c']);
    await untilTabs(() => tabs().length === 2);
  });

  it('names each tab after what it compares, unlike any other', async () => {
    const refs = all
      .filter((one) => one.selected_repository === 'gridworks/tariffs')
      .map(({ id }) => ({ ref: { kind: 'conversation', id } }));
    assert.ok(refs.length >= 3, `${refs.length}`);
    for (const some of [refs.slice(0, 2), refs.slice(0, 3), refs.slice(1, 3)]) {
      const { length } = tabs();
      await vscode.commands.executeCommand(commandIds.conversationCompare, some[0], some);
      await untilTabs(() => tabs().length > length && tabs().every(({ label }) => /^Compare: ./.test(label)));
    }
    assert.equal(
      new Set(tabs().map(({ label }) => label)).size,
      3,
      tabs()
        .map(({ label }) => label)
        .join(' / '),
    );
  });

  it('shows the attempts of a row, or those that the active conversation belongs to', async () => {
    const tags = { agentworkspaceattempts: 'g' };
    const known = ['a', 'b', 'c'].map((id) => aConversation({ id, ...(id !== 'b' && { tags }) }));
    const ref = { kind: 'attempts', ids: ['c', 'b'] };
    assert.deepEqual(await comparing(known, { ref }), { shown: ['c', 'b'], told: [] });
    assert.deepEqual(await comparing(known, undefined, 'a'), { shown: ['a', 'c'], told: [] });
  });

  it('shows the attempts of a row of another connection', async () => {
    const other = 'https://other.example';
    const ref = { kind: 'attempts', ids: ['x', 'y'], service: other };
    assert.deepEqual(await comparing([], { ref }), { shown: ['x', 'y'], service: other, told: [] });
    const known = ['x', 'y'].map((id) => aConversation({ id }));
    const here = { ...ref, service: 'https://one.example' };
    assert.deepEqual(await comparing(known, { ref: here }), { shown: ['x', 'y'], told: [] });
  });

  it('shows selected conversations of another connection, but not of several', async () => {
    const other = 'https://other.example';
    const row = (id: string, service = other) => ({ ref: { kind: 'conversation', id, service } });
    const elsewhere = ['x', 'y'].map((id) => aConversation({ id, selected_repository: 'acme/shop' }));
    elsewhere.push(aConversation({ id: 'z', selected_repository: 'acme/other' }));
    const compare = (...rows: ReturnType<typeof row>[]) =>
      comparing([], rows[0], undefined, { rows, elsewhere });
    assert.deepEqual(await compare(row('y'), row('x')), { shown: ['y', 'x'], service: other, told: [] });
    const refused = async (...rows: ReturnType<typeof row>[]) => (await compare(...rows)).told.join();
    assert.match(await refused(row('x'), row('z')), /different repositories/);
    assert.match(await refused(row('x')), /Switch this window/);
    assert.match(await refused(row('x'), row('gone')), /Switch this window/);
    const mixed = 'Select conversations of one connection only. Nothing was done.';
    assert.equal(await refused(row('x'), row('a', 'https://one.example')), mixed);
    assert.equal(await refused(row('x'), row('y', 'https://third.example')), mixed);
  });

  it('is refused for conversations of different repositories, and for too many', async () => {
    const known = Array.from({ length: 9 }, (_, at) =>
      aConversation({ id: String(at), selected_repository: at === 0 ? 'acme/shop' : 'acme/other' }),
    );
    const ids = known.map(({ id }) => id);
    assert.deepEqual(await comparing(known, { ref: { kind: 'attempts', ids: ids.slice(0, 2) } }), {
      shown: undefined,
      told: ['These conversations are about different repositories. Select conversations of one repository.'],
    });
    assert.deepEqual(await comparing(known, { ref: { kind: 'attempts', ids } }), {
      shown: undefined,
      told: ['Select 2 to 8 conversations to compare.'],
    });
  });

  /** Runs the command on conversations; which it shows, and what the user is told. */
  async function comparing(
    known: Conversation[],
    argument: unknown,
    active?: string,
    { rows, elsewhere = [] }: { rows?: unknown; elsewhere?: Conversation[] } = {},
  ) {
    const client = aClient({ baseUrl: 'https://one.example' });
    let shown: readonly string[] | undefined;
    let at: string | undefined;
    const needs = {
      session: { current: { kind: 'ready', client } },
      model: {
        service: client.baseUrl,
        conversation: (id: string) => known.find((one) => one.id === id),
        conversations: { state: { items: known } },
      },
      attempts: new Attempts({ get: () => undefined, update: () => Promise.resolve() }, String),
      conversations: { model: () => ({}) },
      others: {
        find: (service: string, id: string) => {
          const chosen = elsewhere.find((one) => one.id === id);
          return service === 'https://other.example' && chosen ? { chosen } : undefined;
        },
      },
      activeConversation: () => active,
      showComparison: (service: string, ids: readonly string[]) =>
        Promise.resolve(void ([at, shown] = [service, ids])),
    } as unknown as Parameters<typeof compareConversations>[0];
    const told = await toldBy(() => compareConversations(needs)(argument, rows));
    return { shown, told, ...(at !== undefined && at !== client.baseUrl && { service: at }) };
  }
});

describe('the attempts that weren’t taken', () => {
  const taken = aConversation({ id: 'a', sandbox_id: 'sb-a' });
  const others = [
    aConversation({ id: 'b', sandbox_id: 'sb-b' }),
    aConversation({ id: 'c', sandbox_id: 'sb-a' }),
    aConversation({ id: 'd', sandbox_id: null }),
  ];
  const settle = async (answer: string | undefined, among = others, service?: string) => {
    const ran: unknown[] = [];
    const found = (id: string) => [taken, ...among].find((one) => one.id === id);
    const needs = {
      model: {
        service: 'https://one.example',
        conversation: found,
      },
      others: {
        find: (at: string, id: string) =>
          at === 'https://other.example' ? { chosen: found(id) } : undefined,
      },
      run: (command: string, args: unknown[]) => {
        const refs = (args[1] as { ref: { id: string; service?: string } }[]).map(({ ref }) => ref);
        const [at] = new Set(refs.map((ref) => ref.service));
        ran.push([command, refs.map(({ id }) => id), ...(at === undefined ? [] : [at])]);
        return Promise.resolve();
      },
      attempts: new Attempts({ get: () => undefined, update: () => Promise.resolve() }, String),
    } as unknown as Parameters<typeof settleOthers>[0];
    const told = await toldBy(() => settleOthers(needs, 'a', service, ['a', 'b', 'c', 'd']), answer);
    return { ran, told };
  };

  it('are archived, paused, or deleted only after asking', async () => {
    assert.deepEqual((await settle(undefined)).ran, []);
    assert.deepEqual((await settle('Archive')).ran, [[commandIds.conversationArchive, ['b', 'c', 'd']]]);
    assert.deepEqual((await settle('Delete…')).ran, [[commandIds.conversationDelete, ['b', 'c', 'd']]]);
    const [question, ...names] = (await settle('Archive')).told;
    assert.equal(question, 'What should happen to the 3 other attempts?');
    // All have one title.
    assert.deepEqual(names, ['Attempt 2', 'Attempt 3', 'Attempt 4']);
  });

  it('pause with their sandboxes, except for that of the one that was taken', async () => {
    assert.deepEqual((await settle('Pause')).ran, [[commandIds.sandboxPause, ['sb-b']]]);
    const without = others.map((one) => ({ ...one, sandbox_id: null }));
    assert.deepEqual((await settle('Pause', without)).ran, [[commandIds.conversationPause, ['b', 'c', 'd']]]);
  });

  it('can be archived on another connection, where they are found in its list', async () => {
    const away = 'https://other.example';
    const { ran, told } = await settle('Archive', others, away);
    assert.deepEqual(ran, [[commandIds.conversationArchive, ['b', 'c', 'd'], away]]);
    assert.equal(told.at(-1), 'To pause or delete them, switch to their connection.');
    assert.deepEqual((await settle('Archive', others, 'https://unknown.example')).told, []);
  });

  it('aren’t asked about if there are none', async () => {
    assert.deepEqual((await settle('Archive', [])).told, []);
  });
});
