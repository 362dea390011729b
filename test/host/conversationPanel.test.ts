import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  type ConversationPanelDependencies,
  ConversationPanels,
} from '../../src/features/conversation/panel/panel';
import { commandIds, panelTypes } from '../../src/ids';
import { control } from '../support/hostRun';

const conversations = async () =>
  ((await control('state')) as { conversations: { id: string; title: string | null }[] }).conversations;
const show = (id: string) =>
  vscode.commands.executeCommand(commandIds.conversationShow, { ref: { kind: 'conversation', id } });

/** The tabs of conversations. */
const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview && input.viewType.includes(panelTypes.conversation),
    );

describe('the tab of a conversation', () => {
  before(() => vscode.commands.executeCommand(commandIds.viewRefresh));
  afterEach(() => vscode.window.tabGroups.close(tabs()));

  /** Resolves once the tabs are as wanted. */
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        following.dispose();
        resolve();
      };
      const following = vscode.window.tabGroups.onDidChangeTabs(look);
      look();
    });

  /** Resolves once the tab with this title is in front. */
  const titled = (title: string) => until(() => tabs().some((tab) => tab.label === title && tab.isActive));

  it('is reused when the conversation is opened again, however its ID is written', async () => {
    const [one, other] = (await conversations()).filter(({ title }) => title !== null);
    assert.ok(one?.title && other?.title);
    await show(one.id);
    await titled(one.title);
    await show(other.id);
    await titled(other.title);
    await show(one.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
    await titled(one.title);
    assert.deepEqual(
      tabs()
        .map(({ label }) => label)
        .sort(),
      [one.title, other.title].sort(),
    );
  });

  it('leaves one alone that another conversation with its title has', async () => {
    const [one] = (await conversations()).filter(({ title }) => title !== null);
    assert.ok(one?.title);
    const { title } = one;
    // As the editor brings it back: unknown to the extension until somebody looks at it.
    const left = vscode.window.createWebviewPanel(panelTypes.conversation, title, vscode.ViewColumn.One);
    await until(() => tabs().length === 1);
    await show(one.id);
    await until(() => tabs().length === 2 && tabs().every(({ label }) => label === title));
    left.dispose();
    await until(() => tabs().length === 1);
  });

  it('takes the place of the one that a reload left of the same conversation', async () => {
    const stored = new Map<string, unknown>();
    const service = 'https://one.example';
    const none = () => ({ dispose: () => undefined });
    const open = () =>
      new ConversationPanels({
        ...{ extensionUri: vscode.Uri.file('/none'), setVisible: none, setContext: none, nameOf: String },
        conversations: { service, model: () => undefined, hold: none, onDidChange: none },
        startTabs: { now: () => undefined, model: () => undefined, onDidChange: none },
        memento: {
          get: (key: string) => stored.get(key),
          update: (...set: [string, unknown]) => stored.set(...set),
        },
      } as unknown as ConversationPanelDependencies);
    const before = open();
    before.show('a');
    await until(() => tabs().length === 1);
    const after = open();
    after.show('b');
    await until(() => tabs().length === 2);
    after.close('b');
    await until(() => tabs().length === 1);
    const [left] = tabs();
    after.show('a');
    await until(() => tabs().length === 1 && tabs()[0] !== left);
    assert.equal(before.isVisible('a'), false);
    // Their titles are the same until they’re read: which one is whose isn’t known.
    after.show('b');
    await until(() => tabs().length === 2);
    const last = open();
    last.show('a');
    await until(() => tabs().length === 3);
    for (const one of [before, after, last]) one.dispose();
    await until(() => tabs().length === 0);
  });

  it('opens for a conversation that isn’t in the list, such as a linked one', async () => {
    await show('0'.repeat(32));
    await titled('Conversation');
    assert.equal(tabs().length, 1);
  });

  it('offers the usual commands for an unlisted conversation', async () => {
    await show('0'.repeat(32));
    await titled('Conversation');
    const opened = new Promise<vscode.TextDocument>((resolve) => {
      const following = vscode.workspace.onDidOpenTextDocument((document) => {
        following.dispose();
        resolve(document);
      });
    });
    await vscode.commands.executeCommand(commandIds.conversationOpenAsText);
    assert.match((await opened).getText(), /^# Conversation/);
  });
});
