import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  commandIds,
  configurationSection,
  contextKeys,
  changesScheme,
  messageScheme,
  panelTypes,
  settingIds,
  toolIds,
  viewIds,
} from '../../src/ids';
import { panelContext } from '../../src/features/conversation/panel/tab';
import type { Head } from '../../src/shared/transcript';
import { holds } from '../support/conditions';
import { head } from '../support/conversation/entries';

interface MenuItem {
  command: string;
  submenu?: string;
  when?: string;
  group?: string;
}

const root = resolve(__dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const words = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { activationEvents, contributes } = JSON.parse(text) as {
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string; category?: string; icon?: unknown; enablement?: string }[];
    views: Record<string, { id: string; initialSize: number; visibility?: string; when?: string }[]>;
    viewsWelcome: { view: string; contents: string; when: string }[];
    walkthroughs: {
      steps: { id: string; description: string; media: { svg: string }; completionEvents: string[] }[];
    }[];
    menus: Record<string, MenuItem[]>;
    submenus: { id: string; label: string }[];
    languageModelTools: Record<string, unknown>[];
    keybindings: { command: string; when: string }[];
    configuration: { properties: Record<string, { scope: string; default: unknown }> };
  };
};
/** The items of a menu that hold in `context`, those of its submenus included. */
const itemsOf = (menu: string, isIn: (item: { when?: string }) => boolean): MenuItem[] =>
  (contributes.menus[menu] ?? [])
    .filter(isIn)
    .flatMap((item) => (item.submenu === undefined ? [item] : itemsOf(item.submenu, isIn)));
const sorted = (values: Iterable<string>) => [...values].sort();

describe('manifest', () => {
  it('has exactly the commands of the code', () => {
    assert.deepEqual(
      sorted(contributes.commands.map(({ command }) => command)),
      sorted(Object.values(commandIds)),
    );
  });

  it('comes back with every panel of the code', () => {
    const panels = activationEvents.filter((event) => event.startsWith('onWebviewPanel:'));
    assert.deepEqual(
      sorted(panels),
      sorted(Object.values(panelTypes).map((type) => `onWebviewPanel:${type}`)),
    );
  });

  it('has exactly the views of the code', () => {
    const ids = Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id));
    assert.deepEqual(sorted(ids), sorted(Object.values(viewIds)));
  });

  it('shows Conversations first and in the largest view', () => {
    const views = Object.values(contributes.views).flat();
    assert.deepEqual(
      views.map(({ id }) => id),
      [
        ...[viewIds.conversations, viewIds.sandboxes, viewIds.specs, viewIds.workspaces],
        ...[viewIds.automations, viewIds.search],
      ],
    );
    for (const [lacksSandboxes, count] of [
      [false, 3],
      [true, 2],
    ] as const) {
      const sizes = views
        .filter(
          ({ when }) =>
            when === undefined ||
            holds(when, {
              [contextKeys.lacksSandboxes]: lacksSandboxes,
              [contextKeys.agentServer]: lacksSandboxes,
            }),
        )
        .map(({ initialSize }) => initialSize);
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
      assert.equal(new Set(sizes).size, count);
    }
  });

  it('gives every command a title of its own, which names what it’s about', () => {
    const categories = new Set(contributes.commands.map(({ category }) => category));
    assert.deepEqual([...categories], ['%extension.displayName%']);
    const titles = contributes.commands.map(({ title }) => words[title.replaceAll('%', '')] ?? '');
    assert.deepEqual(sorted(new Set(titles)), sorted(titles));
    const titleOf = (id: string) =>
      titles[contributes.commands.findIndex(({ command }) => command === id)] ?? '';
    assert.match(titleOf(commandIds.sandboxCopyId), /Sandbox/);
    assert.match(titleOf(commandIds.conversationCopyId), /Conversation/);
    assert.match(titleOf(commandIds.conversationStartHere), /Here/);
    const inEditor = contributes.menus['editor/context']?.map(({ submenu }) => submenu);
    const labels = contributes.submenus.filter(({ id }) => inEditor?.includes(id)).map(({ label }) => label);
    assert.deepEqual(labels, ['%extension.displayName%']);
  });

  it('has one icon for what starts something new', () => {
    const starts = [commandIds.sandboxStart, commandIds.conversationStart, commandIds.conversationStartHere];
    const icons = contributes.commands
      .filter(({ command }) => starts.some((id) => id === command))
      .map(({ icon }) => icon);
    assert.deepEqual(icons, ['$(add)', '$(add)', '$(add)']);
  });

  it('has exactly the tools of the code, each described for models and people', () => {
    const tools = contributes.languageModelTools;
    assert.deepEqual(sorted(tools.map(({ name }) => String(name))), sorted(Object.values(toolIds)));
    assert.equal(new Set(tools.map(({ toolReferenceName }) => toolReferenceName)).size, tools.length);
    for (const { name, toolReferenceName, canBeReferencedInPrompt, icon, tags, ...said } of tools) {
      assert.match(String(name), /^agentWorkspace_[a-zA-Z]+$/);
      assert.match(String(toolReferenceName), /^[a-zA-Z]+$/);
      assert.equal(canBeReferencedInPrompt, true);
      assert.match(String(icon), /^\$\([\w-]+\)$/);
      assert.ok(Array.isArray(tags) && tags.includes('agent-workspace'));
      const id = String(name).split('_')[1];
      assert.equal(said['displayName'], `%tool.${id}.displayName%`);
      assert.equal(said['userDescription'], `%tool.${id}.userDescription%`);
      const description = String(said['modelDescription']);
      assert.ok(description.length > 100 && description.length < 1_000, description);
      for (const [other] of description.matchAll(/agentWorkspace_\w+/g)) {
        assert.ok(Object.values<string>(toolIds).includes(other), other);
      }
    }
  });

  it('has the settings of the code, and workspaces can’t change them', () => {
    const { properties } = contributes.configuration;
    const ids = Object.values(settingIds).map((id) => `${configurationSection}.${id}`);
    assert.deepEqual(sorted(Object.keys(properties)), sorted(ids));
    for (const [id, { scope }] of Object.entries(properties)) assert.equal(scope, 'application', id);
  });

  it('uses only context keys set by the code', () => {
    const known = new Set<string>(Object.values(contextKeys));
    const conditions = [
      ...contributes.commands.map(({ enablement }) => enablement),
      ...contributes.viewsWelcome.map(({ when }) => when),
      ...contributes.walkthroughs.flatMap(({ steps }) =>
        steps.flatMap(({ completionEvents }) =>
          completionEvents.filter((event) => event.startsWith('onContext:')),
        ),
      ),
      ...Object.values(contributes.menus).flatMap((menu) => menu.map(({ when }) => when)),
    ];
    for (const condition of conditions) {
      for (const [key] of (condition ?? '')
        .replace(/== agentWorkspace\.\w+/g, '')
        .matchAll(/agentWorkspace\.\w+/g)) {
        assert.ok(known.has(key), `${key} in “${condition}”`);
      }
    }
  });

  it('enables commands only with a connection and key, or before these are known', () => {
    const selected = { editorHasSelection: true };
    const conditions = [
      ...contributes.commands.map(({ enablement }) => enablement ?? ''),
      ...(contributes.menus['editor/context'] ?? []).map(({ when }) => when ?? ''),
    ].filter((condition) => condition.includes(contextKeys.unconnected));
    assert.ok(conditions.length > 40);
    for (const condition of conditions) {
      const known = {
        ...selected,
        [contextKeys.conversationsFiltered]: true,
        [contextKeys.settingsSaved]: true,
        // What only an agent server has is offered only there.
        [contextKeys.agentServer]: condition.includes(' && agentWorkspace.agentServer'),
      };
      assert.ok(holds(condition, known), condition);
      assert.ok(holds(condition, { ...known, [contextKeys.unconnected]: false }), condition);
      assert.ok(!holds(condition, { ...known, [contextKeys.unconnected]: true }), condition);
    }
    assert.doesNotMatch(text, /session != noKey/, 'there is one key for that');
  });

  it('disables nothing without a key that works without one', () => {
    const runner = readFileSync(join(root, 'src/compose/commandRunner.ts'), 'utf8');
    const listed = /worksUnconnected = new Set<CommandId>\(\[([^\]]+)\]/.exec(runner)?.[1] ?? '';
    const ids = [...listed.matchAll(/commandIds\.(\w+)/g)].map(
      ([, name]) => commandIds[name as keyof typeof commandIds],
    );
    assert.ok(ids.includes(commandIds.sessionClearKey));
    for (const { command, enablement = '' } of contributes.commands)
      if (ids.some((id) => id === command)) assert.ok(!enablement.includes(contextKeys.unconnected), command);
  });

  it('has text for every key and no unused text', () => {
    const used = [...text.matchAll(/"%([^"%]+)%"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
  });

  it('links only to existing commands in its welcome content', () => {
    const ofViews = Object.values(viewIds).map((id) => `${id}.focus`);
    const commands = new Set<string>([...Object.values(commandIds), ...ofViews]);
    for (const [key, value] of Object.entries(words)) {
      for (const [, id] of value.matchAll(/\(command:(agentWorkspace\.[\w.]+)/g)) {
        assert.ok(commands.has(id ?? ''), `${id} in ${key}`);
      }
    }
  });

  it('has a walkthrough of six steps, each with a button, a picture, and a completion event', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.ok(walkthrough && others.length === 0);
    assert.deepEqual(
      walkthrough.steps.map(({ id }) => id),
      ['connect', 'look', 'start', 'approve', 'home', 'settings'],
    );
    for (const { id, description, media, completionEvents } of walkthrough.steps) {
      const lines = (words[description.replaceAll('%', '')] ?? '').split('\n');
      assert.equal(lines.filter((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line)).length, 1, id);
      assert.equal(completionEvents.length, 1);
      // A command runs also where it can’t do what the step is about.
      assert.doesNotMatch(completionEvents.join(), /onCommand:/);
      // It’s known only in an editor, and steps follow what the whole window knows.
      assert.doesNotMatch(completionEvents.join(), /resource/);
      const picture = readFileSync(join(root, media.svg), 'utf8');
      assert.match(picture, /var\(--vscode-/);
      assert.doesNotMatch(picture, /(?:fill|stroke)="(?!var\(|none")/, 'no colour of its own');
      assert.doesNotMatch(picture, /<(?:script|image|foreignObject)|href/);
    }
  });

  it('has one button that starts a conversation, whatever is empty', () => {
    const buttons = contributes.viewsWelcome.filter(({ contents }) =>
      (words[contents.replaceAll('%', '')] ?? '')
        .split('\n')
        .some((line) => line.startsWith('[') && line.endsWith(`](command:${commandIds.conversationStart})`)),
    );
    assert.deepEqual([...new Set(buttons.map(({ view }) => view))], [viewIds.conversations]);
  });

  it('draws no check marks into titles', () => {
    for (const [key, title] of Object.entries(words))
      if (key.endsWith('.title')) assert.doesNotMatch(title, /✓/, key);
  });

  it('has nothing in the titles of views that can’t work', () => {
    const { commands, menus } = contributes;
    const needsKey = new Set(
      commands
        .filter(({ enablement = '' }) => enablement.includes(contextKeys.unconnected))
        .map(({ command }) => command),
    );
    const buttons = menus['view/title'] ?? [];
    assert.ok(buttons.length > 20);
    for (const { command, when = '' } of buttons)
      assert.equal(
        when.includes(`!${contextKeys.unconnected}`),
        needsKey.has(command),
        `${command}: ${when}`,
      );
  });

  it('has what concerns the connection in the menu of the view that is always open', () => {
    const inMenu = (contributes.menus['view/title'] ?? [])
      .filter(({ when = '' }) => when.startsWith(`view == ${viewIds.conversations}`))
      .map(({ command }) => command);
    for (const id of [
      commandIds.connectionConnect,
      commandIds.connectionSwitch,
      commandIds.connectionDiagnose,
      commandIds.sessionSetKey,
      commandIds.logsShow,
      commandIds.settingsOpen,
      commandIds.conversationGroup,
      commandIds.conversationSort,
    ])
      assert.ok(inMenu.includes(id), id);
    const folded = Object.values(contributes.views)
      .flat()
      .filter(({ visibility }) => visibility === 'collapsed')
      .map(({ id }) => id);
    assert.deepEqual(folded, [viewIds.sandboxes, viewIds.specs, viewIds.automations]);
  });

  it('offers for several rows only what acts on all of them', () => {
    // That key stays set when the selected rows disappear.
    const isOne = `(!listMultiSelection || view in ${contextKeys.selectionGone})`;
    const areSeveral = `listMultiSelection && view not in ${contextKeys.selectionGone}`;
    assert.doesNotMatch(text.replaceAll(isOne, '').replaceAll(areSeveral, ''), /listMultiSelection/);
    // Rows of automations can’t be selected together.
    const one = [isOne, `view == ${viewIds.automations}`];
    const forSeveral = itemsOf(
      'view/item/context',
      ({ when = '' }) => !one.some((part) => when.includes(part)),
    )
      .filter(({ group = '' }) => !group.startsWith('inline'))
      .map(({ command }) => command);
    assert.deepEqual(
      new Set(forSeveral),
      new Set<string | undefined>([
        commandIds.sandboxPause,
        commandIds.sandboxResume,
        commandIds.sandboxDelete,
        commandIds.sandboxCopyId,
        commandIds.conversationCopyId,
        commandIds.conversationCompare,
        commandIds.conversationDelete,
        commandIds.conversationExport,
        commandIds.conversationPause,
        commandIds.conversationMarkRead,
        commandIds.conversationMarkUnread,
        commandIds.conversationPin,
        commandIds.conversationUnpin,
        commandIds.conversationArchive,
        commandIds.conversationUnarchive,
      ]),
    );
  });

  it('offers to mark several conversations as read or unread, whatever each of them is', () => {
    // The editor shows only what each of the selected rows offers.
    const both = [commandIds.conversationMarkRead, commandIds.conversationMarkUnread];
    const offered = (viewItem: string, listMultiSelection: boolean) =>
      itemsOf(
        'view/item/context',
        ({ when }) =>
          when === undefined || holds(when, { view: viewIds.conversations, viewItem, listMultiSelection }),
      ).flatMap(({ command }) => both.filter((id) => id === command));
    for (const viewItem of ['conversation', 'conversation.unread', 'attempts.unread'])
      assert.deepEqual(offered(viewItem, true), both);
    assert.deepEqual(offered('conversation.unread', false), [commandIds.conversationMarkRead]);
    assert.deepEqual(offered('conversation', false), [commandIds.conversationMarkUnread]);
  });

  it('offers on the row of a conversation what fits its agent', () => {
    const offered = (viewItem: string) =>
      itemsOf(
        'view/item/context',
        ({ when }) => when === undefined || holds(when, { view: viewIds.conversations, viewItem }),
      ).map(({ command }) => command);
    const always = [
      commandIds.conversationShow,
      commandIds.conversationOpen,
      commandIds.conversationMessage,
      commandIds.conversationAsk,
      commandIds.conversationPolicy,
      commandIds.conversationRename,
      commandIds.conversationOpenAsText,
      commandIds.conversationExport,
    ];
    const ofAgent: Record<string, string[]> = {
      conversation: [],
      'conversation.pullRequest': [commandIds.conversationOpenPullRequest],
      'conversation.waiting': [
        commandIds.conversationReview,
        commandIds.conversationApprove,
        commandIds.conversationReject,
      ],
      'conversation.running': [commandIds.conversationPause, commandIds.conversationInterrupt],
    };
    for (const [viewItem, extra] of Object.entries(ofAgent)) {
      const found = new Set<string>(offered(viewItem));
      for (const id of [...always, ...extra]) assert.ok(found.has(id), `${id} on ${viewItem}`);
      const others = Object.values(ofAgent)
        .flat()
        .filter((id) => !extra.includes(id));
      for (const id of others) assert.ok(!found.has(id), `${id} on ${viewItem}`);
    }
    const inEditor = contributes.menus['agentWorkspace.editor']?.map(({ command }) => command);
    assert.deepEqual(inEditor, [
      commandIds.conversationStartFromSelection,
      commandIds.conversationAddSelection,
    ]);
  });

  it('offers in the tab and in the header of a conversation everything that can be done to it', () => {
    const offered = (menu: string, context: string | undefined) => {
      const keys = {
        activeWebviewPanelId: panelTypes.conversation,
        webviewId: panelTypes.conversation,
        webviewSection: 'conversation',
        [contextKeys.panel]: context,
      };
      return itemsOf(menu, ({ when }) => when === undefined || holds(when, keys)).map(({ command }) =>
        command.replace('agentWorkspace.', ''),
      );
    };
    const always = [
      ...[
        'changes.show',
        'changes.apply',
        'changes.createBranch',
        'conversation.open',
        'conversation.addSelection',
      ],
      ...['conversation.rename', 'conversation.delete', 'conversation.openAsText', 'conversation.export'],
      ...['conversation.copyLink', 'conversation.copyId', 'conversation.startAgain'],
      ...['message.insert', 'template.save'],
    ];
    const about = head().about;
    const none = { ...about, hasPullRequestPage: false, hasSandbox: false };
    const states: [Partial<Head>, string[]][] = [
      [{ limit: 'gone', about: none }, []],
      [
        { limit: 'asleep', about: none, execution: 'running', canInterrupt: true },
        [
          ...['place.openFolder', 'place.search', 'changes.showCommits', 'place.openTerminal'],
          ...['place.ports', 'place.showPage'],
        ],
      ],
      [{ limit: 'none', about: none, problem: 'Can’t connect.', execution: 'running' }, []],
      [{ limit: 'gone' }, ['conversation.openPullRequest', 'conversation.revealSandbox']],
      [
        { about: none, execution: 'running', canInterrupt: false },
        [
          'conversation.ask',
          'conversation.pause',
          'conversation.policy',
          'place.openFolder',
          'place.search',
          'changes.showCommits',
          'place.openTerminal',
          'place.ports',
          'place.showPage',
        ],
      ],
      [
        { about: none, execution: 'running', limit: 'busy', policy: 'itself' },
        [
          'conversation.ask',
          'conversation.pause',
          'conversation.interrupt',
          'place.openFolder',
          'place.search',
          'changes.showCommits',
          'place.openTerminal',
          'place.ports',
          'place.showPage',
        ],
      ],
      [
        { about: none, execution: 'waiting_for_confirmation', canInterrupt: false },
        [
          'conversation.approve',
          'conversation.reject',
          'conversation.ask',
          'conversation.policy',
          'place.openFolder',
          'place.search',
          'changes.showCommits',
          'place.openTerminal',
          'place.ports',
          'place.showPage',
        ],
      ],
    ];
    for (const menu of ['editor/title', 'webview/context'])
      assert.deepEqual(offered(menu, panelContext(head({ limit: 'starting', about: none }))), []);
    for (const [state, expected] of states)
      for (const menu of ['editor/title', 'webview/context'])
        assert.deepEqual(
          sorted(offered(menu, panelContext(head(state)))),
          sorted([...always, ...expected]),
          `${menu}: ${JSON.stringify(state)}`,
        );
  });

  it('has keys only where the editor has none', () => {
    const message = `editorTextFocus && resourceScheme == ${messageScheme}`;
    const elsewhere = ['sideBarFocus', 'panelFocus', 'auxiliaryBarFocus'].map((key) => `!${key}`);
    const panel = [`activeWebviewPanelId == ${panelTypes.conversation}`, ...elsewhere].join(' && ');
    for (const { command, when } of contributes.keybindings.filter(
      // A key that the editor itself has nowhere.
      (one) => one.command !== commandIds.conversationNextWaiting,
    ))
      assert.ok(when === message || when === panel || when.startsWith(`${panel} && `), command);
    const approve = contributes.keybindings.find(({ command }) => command === commandIds.conversationApprove);
    const holdsFor = (state: Partial<Head>) =>
      holds(approve?.when ?? '', {
        activeWebviewPanelId: panelTypes.conversation,
        [contextKeys.panel]: panelContext(head(state)),
      });
    assert.equal(holdsFor({ execution: 'waiting_for_confirmation' }), true);
    assert.equal(holdsFor({ execution: 'running' }), false);
  });

  it('offers on a standalone agent server only what it has', () => {
    const { commands, menus } = contributes;
    const only = commands.filter(({ enablement = '' }) =>
      enablement.split(' && ').includes(`!${contextKeys.lacksSandboxes}`),
    );
    const absent = new Set(only.map(({ command }) => command));
    for (const id of [
      commandIds.sandboxStart,
      commandIds.conversationStartWithChanges,
      commandIds.settingsManageGitProviders,
    ])
      assert.ok(absent.has(id), id);
    for (const id of [
      commandIds.conversationStart,
      commandIds.conversationShow,
      commandIds.conversationMessage,
      commandIds.viewRefresh,
      commandIds.settingsOpen,
      commandIds.settingsManageMcpServers,
      commandIds.profileManage,
      commandIds.secretManage,
      // For containers.
      commandIds.sandboxPause,
      commandIds.sandboxResume,
    ])
      assert.ok(!absent.has(id), id);
    // The views of sandboxes and specs, and hidden commands, aren’t there anyway.
    const rows = /^view == agentWorkspace\.(sandboxes|specs) &&/;
    for (const [menu, items] of Object.entries(menus)) {
      for (const { command, when = '' } of items) {
        if (!absent.has(command) || menu === 'commandPalette' || rows.test(when)) continue;
        assert.ok(when.split(' && ').includes(`!${contextKeys.lacksSandboxes}`), `${menu}: ${command}`);
      }
    }
  });

  const palette = new Map(
    contributes.menus['commandPalette']?.map(({ command, when = '' }) => [command, when]),
  );
  const isOffered = (command: string, known: Record<string, unknown>) => {
    const { enablement = '' } = contributes.commands.find((one) => one.command === command) ?? {};
    return [enablement, palette.get(command) ?? ''].every((when) => when === '' || holds(when, known));
  };
  const rowsOnly = [
    commandIds.workspaceStartHere,
    commandIds.viewLoadMore,
    commandIds.conversationRetryStart,
    commandIds.conversationPauseAndRetry,
    commandIds.conversationDismissStart,
    commandIds.conversationStartHere,
    commandIds.changesShowStep,
    commandIds.changesRemoveComment,
    commandIds.conversationTake,
    commandIds.changesShowDifference,
    commandIds.conversationShowEntry,
  ];

  const inConversation = [
    commandIds.conversationNextMessage,
    commandIds.conversationPreviousMessage,
    commandIds.conversationToEnd,
  ];

  it('never offers row commands in the palette, and editor commands only there', () => {
    for (const id of rowsOnly) assert.equal(palette.get(id), 'false', id);
    for (const id of [
      commandIds.conversationSendMessage,
      commandIds.conversationAddContext,
      commandIds.conversationCancelMessage,
    ])
      assert.equal(palette.get(id), `resourceScheme == ${messageScheme}`);
    const inDraft = `resourceScheme == ${messageScheme} || activeWebviewPanelId == ${panelTypes.conversation}`;
    assert.equal(palette.get(commandIds.templateSave), inDraft);
    const comment = `activeEditor == multiDiffEditor || resourceScheme == ${changesScheme}`;
    assert.equal(palette.get(commandIds.changesComment), comment);
    for (const id of inConversation)
      assert.equal(palette.get(id), `activeWebviewPanelId == ${panelTypes.conversation}`);
    const inRepository = 'resourceScheme =~ /^(file|vscode-remote)$/ && gitOpenRepositoryCount != 0';
    assert.equal(palette.get(commandIds.fileConversations), inRepository);
    // In the editor of a message, one command starts the conversation: the one that sends it. Another starts several.
    const inMessage = { resourceScheme: messageScheme, editorHasSelection: true };
    const starts = Object.values(commandIds).filter((id) =>
      /conversation\.(start(FromSelection)?|send)/.test(id),
    );
    assert.deepEqual(
      starts.filter((id) => isOffered(id, inMessage)),
      [
        commandIds.conversationStartWithChanges,
        commandIds.conversationStartSeveral,
        commandIds.conversationSendMessage,
      ],
    );
  });

  it('offers everything else in the palette before anything is known', () => {
    const inEditor: string[] = [
      ...rowsOnly,
      commandIds.conversationSendMessage,
      commandIds.conversationAddContext,
      commandIds.conversationCancelMessage,
      commandIds.templateSave,
      commandIds.changesComment,
      ...inConversation,
      commandIds.fileConversations,
      // They need something that is known at once.
      commandIds.changesUndoApply,
      commandIds.settingsUndoSave,
      commandIds.conversationClearFilter,
      commandIds.conversationHideArchived,
      commandIds.conversationShowCurrent,
      commandIds.conversationCancelSearch,
      commandIds.conversationClearSearch,
      commandIds.conversationUnarchive,
      // They need a hosted service.
      commandIds.connectionSwitchOrganization,
      commandIds.sessionSignIn,
      // They need a standalone agent server.
      commandIds.workspaceAdd,
      commandIds.workspaceRemove,
      commandIds.workspaceOpenFolder,
    ];
    for (const id of Object.values(commandIds))
      assert.equal(isOffered(id, { editorHasSelection: true }), !inEditor.includes(id), id);
  });

  it('offers to pause and resume the containers of an agent server, which has no sandboxes', () => {
    const server = {
      [contextKeys.agentServer]: true,
      [contextKeys.lacksSandboxes]: true,
      [contextKeys.noSandboxes]: true,
    };
    for (const id of [commandIds.sandboxPause, commandIds.sandboxResume])
      for (const hasContainers of [true, false])
        assert.equal(
          isOffered(id, { ...server, [contextKeys.hasContainers]: hasContainers }),
          hasContainers,
          id,
        );
  });

  it('offers in the palette of an empty service only what can work', () => {
    const empty = {
      editorHasSelection: true,
      ...Object.fromEntries(
        [
          contextKeys.noConversations,
          contextKeys.noSandboxes,
          contextKeys.noneWaiting,
          contextKeys.noneWaitingElsewhere,
          contextKeys.noneWorking,
          contextKeys.singleConnection,
          contextKeys.noPullRequests,
        ].map((key) => [key, true]),
      ),
    };
    const offered = Object.values(commandIds).filter((id) => isOffered(id, empty));
    const about = offered.filter((id) => /\.(conversation|sandbox|changes)\./.test(id));
    assert.deepEqual(sorted(about), [
      commandIds.conversationStart,
      commandIds.conversationStartFromSelection,
      commandIds.conversationStartSeveral,
      commandIds.conversationStartWithChanges,
      commandIds.sandboxStart,
    ]);
    const waiting = { ...empty, [contextKeys.noConversations]: false, [contextKeys.noneWaiting]: false };
    for (const id of [
      commandIds.conversationApprove,
      commandIds.conversationReject,
      commandIds.conversationReview,
      commandIds.conversationNextWaiting,
    ])
      assert.ok(
        isOffered(id, waiting) && !isOffered(id, { ...waiting, [contextKeys.noneWaiting]: true }),
        id,
      );
    assert.ok(!isOffered(commandIds.conversationInterrupt, waiting));
  });

  it('has menus of a conversation that are read at a glance, with submenus for the rest', () => {
    const shown = (menu: string, context: Record<string, unknown>) =>
      (contributes.menus[menu] ?? []).filter(
        ({ when, group = '' }) =>
          !/^(inline|navigation)/.test(group) && (when === undefined || holds(when, context)),
      );
    const row = { view: viewIds.conversations, viewItem: 'conversation.pullRequest.waiting.unread' };
    const panel = {
      webviewId: panelTypes.conversation,
      activeWebviewPanelId: panelTypes.conversation,
      webviewSection: 'conversation',
      [contextKeys.panel]: panelContext(head({ execution: 'waiting_for_confirmation' })),
    };
    for (const isAgentServer of [false, true])
      for (const [menu, context] of [
        ['view/item/context', row],
        ['webview/context', panel],
        ['editor/title', panel],
      ] as const) {
        const known = {
          ...context,
          [contextKeys.agentServer]: isAgentServer,
          [contextKeys.lacksSandboxes]: isAgentServer,
        };
        const items = shown(menu, known);
        assert.ok(items.length <= 18, `${menu}: ${items.length}`);
        const submenus = items.flatMap(({ submenu }) => submenu ?? []);
        assert.deepEqual(new Set(submenus).size, submenus.length);
        for (const submenu of submenus) assert.ok(shown(submenu, known).length > 1, `${menu}: ${submenu}`);
        const about = submenus.filter((id) => /\.(sandbox|workspace)$/.test(id));
        assert.deepEqual(about, [isAgentServer ? 'agentWorkspace.workspace' : 'agentWorkspace.sandbox']);
      }
    const used = Object.values(contributes.menus).flatMap((menu) =>
      menu.flatMap(({ submenu }) => submenu ?? []),
    );
    assert.deepEqual(sorted(new Set(used)), sorted(contributes.submenus.map(({ id }) => id)));
  });

  it('mentions no sandbox in the titles of what an agent server has, too', () => {
    const about = contributes.commands.filter(({ command }) => /\.(place|changes|workspace)\./.test(command));
    assert.ok(about.length > 15);
    for (const { command, title } of about)
      assert.doesNotMatch(words[title.replaceAll('%', '')] ?? '', /sandbox/i, command);
  });

  it('interrupts from a row only what may be interrupted', () => {
    const [row] = (contributes.menus['view/item/context'] ?? []).filter(
      ({ command }) => command === commandIds.conversationInterrupt,
    );
    const pattern = new RegExp(/viewItem =~ \/(.*)\/(?: &&|$)/.exec(row?.when ?? '')?.[1] ?? '(?!)');
    assert.ok(pattern.test('conversation.running'));
    assert.ok(pattern.test('conversation.pullRequest.running.unread'));
    assert.ok(!pattern.test('conversation.running.uninterruptible'));
    assert.ok(!pattern.test('conversation.waiting'));
  });
});
