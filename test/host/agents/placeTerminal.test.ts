import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  chooseTerminal,
  openTerminal,
  type TerminalNeeds,
} from '../../../src/features/place/commands/openTerminal';
import { Refusal } from '../../../src/core/basics/refusal';
import { Terminals } from '../../../src/features/place/commands/terminals';
import type { SandboxPlace } from '../../../src/features/sandboxChanges/model/conversationChanges';
import { TestSandbox } from '../../unit/changes/support';
import { eventually } from '../../unit/place/terminalSupport';
import { answering } from '../answering';

const service = 'https://one.example.com';
const conversation = '0'.repeat(32);

/** Resolves when the editor has closed a terminal, with the exit code of its shell. */
const closed = (terminal: vscode.Terminal) =>
  new Promise<number | undefined>((resolve) => {
    const following = vscode.window.onDidCloseTerminal((one) => {
      if (one !== terminal) return;
      following.dispose();
      resolve(one.exitStatus?.code);
    });
  });

describe('terminals in sandboxes', () => {
  let sandbox: TestSandbox;
  let stored: unknown;
  let terminals: Terminals;
  /** The sandbox as it’s reached now. */
  let place: () => Promise<SandboxPlace>;

  beforeEach(() => {
    sandbox = new TestSandbox();
    sandbox.environmentFor({ SHELL: '/bin/sh' });
    stored = undefined;
    place = () => Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at('work') });
    terminals = open();
  });
  afterEach(async () => {
    terminals.dispose();
    sandbox.dispose();
    await vscode.commands.executeCommand('workbench.action.terminal.killAll');
  });

  const head = { title: 'Fix checkout', limit: 'none', about: { repository: null } };
  const listeners = new Set<() => void>();
  const model = {
    ...{ id: conversation, head },
    changes: { place: () => place() },
    onDidChange: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const conversations = {
    service,
    model: () => model,
    hold: () => ({ reached: Promise.resolve(), dispose: () => undefined }),
    onDidChange: () => ({ dispose: () => undefined }),
  } as unknown as TerminalNeeds['conversations'];
  const open = () =>
    new Terminals(conversations, { read: () => stored, write: (kept) => (stored = structuredClone(kept)) });
  const keptId = () => (stored as { id?: string }[] | undefined)?.[0]?.id;
  const run = (id: string) => sandbox.at(`work/.agent-workspace/t/${id}`);
  const make = () =>
    vscode.window.createTerminal(terminals.create({ conversation, service, name: 'Fix checkout' }));
  const shell = async () => {
    await eventually(
      () => keptId() !== undefined,
      () => JSON.stringify(stored),
    );
    return keptId()!;
  };
  const written = (name: string) =>
    eventually(
      () => existsSync(sandbox.at(`work/${name}`)),
      () => name,
    );

  it('ends its shell with the terminal, and leaves nothing behind', async () => {
    const terminal = make();
    const id = await shell();
    assert.ok(existsSync(run(id)));
    const end = closed(terminal);
    terminal.dispose();
    await end;
    await eventually(
      () => !existsSync(sandbox.at('work/.agent-workspace')),
      () => 'a clean folder',
    );
    assert.deepEqual(stored, []);
  });

  it('shows the same shell when the window comes back', async () => {
    const first = make();
    first.sendText('kept=5; : > ready');
    const id = await shell();
    await written('ready');
    terminals.dispose();
    terminals = open();
    const before = new Set(vscode.window.terminals);
    terminals.restore();
    const again = vscode.window.terminals.find((one) => !before.has(one));
    assert.equal(again?.name, 'Fix checkout');
    again.sendText('echo "$kept" > told');
    await eventually(
      () => existsSync(sandbox.at('work/told')) && readFileSync(sandbox.at('work/told'), 'utf8') === '5\n',
      () => 'the same shell',
    );
    assert.equal(keptId(), id);
    const end = closed(again);
    again.sendText('exit 0');
    assert.equal(await end, 0);
    assert.deepEqual(stored, []);
  });

  it('say at once that their sandbox was paused, when the window knows', async () => {
    const { pty } = terminals.create({ conversation, service, name: 'x' });
    let text = '';
    pty.onDidWrite((written) => (text += written));
    const end = new Promise((resolve) => pty.onDidClose?.(resolve));
    pty.open({ columns: 80, rows: 24 });
    await shell();
    const reached = place;
    try {
      place = () => Promise.reject(new Refusal('It’s paused.'));
      head.limit = 'asleep';
      for (const tell of listeners) tell();
      await eventually(
        () => text.includes('The sandbox is paused. Press Enter to resume it.'),
        () => JSON.stringify(text),
      );
    } finally {
      [place, head.limit] = [reached, 'none'];
    }
    pty.handleInput?.('\r');
    await eventually(
      () => text.includes('The sandbox answers again.'),
      () => JSON.stringify(text),
    );
    pty.handleInput?.('exit 7\r');
    assert.equal(await end, 7);
    await eventually(
      () => !existsSync(sandbox.at('work/.agent-workspace')),
      () => 'a clean folder',
    );
    terminals.dispose();
    assert.equal(listeners.size, 0);
  });

  it('restores nothing from what it can’t read', () => {
    const before = vscode.window.terminals.length;
    for (const odd of [undefined, 'x', [null, 3, {}, { conversation, service, name: 'x' }]]) {
      stored = odd;
      terminals.restore();
    }
    assert.equal(vscode.window.terminals.length, before);
  });

  describe('as they are chosen', () => {
    const needs = () =>
      ({
        conversations,
        model: { conversation: () => undefined },
        activeTab: () => undefined,
        terminals,
      }) as unknown as TerminalNeeds;
    const choose = async (...answers: string[]) => {
      const { rows, restore } = answering(answers);
      try {
        const ref = { kind: 'conversation' as const, id: conversation, service };
        return { options: await chooseTerminal(needs(), { ref }), rows };
      } finally {
        restore();
      }
    };
    /** The same folder, as commands of another computer would answer for it. */
    const elsewhere = () => {
      const { workspace } = sandbox;
      const { terminal } = workspace;
      const execute: typeof terminal.execute = async (call) => {
        const answer = await terminal.execute(call);
        return call.command.includes('boot_id') ? { ...answer, stdout: `other ${answer.stdout}` } : answer;
      };
      place = () =>
        Promise.resolve({
          workspace: { ...workspace, terminal: { ...terminal, execute } },
          workingDir: sandbox.at('work'),
        });
    };

    it('are named by their conversation, and run in the agent’s folder', async () => {
      elsewhere();
      const { options } = await choose();
      assert.ok(options && 'pty' in options);
      const terminal = vscode.window.createTerminal(options);
      assert.equal(terminal.name, 'Fix checkout');
      const end = closed(terminal);
      terminal.sendText(`test "$PWD" = ${sandbox.at('work')}; exit $((40 + $?))`);
      assert.equal(await end, 40);
    });

    it('are shown again once they run, where a page may have taken the focus', async () => {
      elsewhere();
      const { createTerminal } = vscode.window;
      let shows = 0;
      let run: () => void = () => undefined;
      const terminal = {
        show: () => (shows += 1),
        processId: new Promise<void>((resolve) => (run = resolve)),
      };
      let active: unknown = terminal;
      const property = Object.getOwnPropertyDescriptor(vscode.window, 'activeTerminal');
      Object.defineProperty(vscode.window, 'activeTerminal', { ...property, get: () => active });
      Object.assign(vscode.window, { createTerminal: () => terminal });
      const { restore } = answering([]);
      try {
        const ref = { kind: 'conversation' as const, id: conversation, service };
        const opened = openTerminal(needs())({ ref });
        await eventually(
          () => shows === 1,
          () => 'a terminal',
        );
        run();
        await opened;
        assert.equal(shows, 1);
        const panel = vscode.window.createWebviewPanel('page', 'Page', vscode.ViewColumn.One);
        await eventually(
          () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview,
          () => 'a page',
        );
        await openTerminal(needs())({ ref });
        assert.equal(shows, 3);
        active = undefined;
        await openTerminal(needs())({ ref });
        assert.equal(shows, 4);
        panel.dispose();
      } finally {
        restore();
        Object.assign(vscode.window, { createTerminal });
        Object.defineProperty(vscode.window, 'activeTerminal', property ?? {});
      }
    });

    it('are the editor’s own where the sandbox is this computer, and nothing is left there', async () => {
      const { options } = await choose();
      assert.ok(options && !('pty' in options));
      assert.deepEqual([options.name, options.cwd], ['Fix checkout', sandbox.at('work')]);
      assert.ok(!existsSync(sandbox.at('work/.agent-workspace')));
    });

    it('continue with a shell that no terminal of the window shows', async () => {
      elsewhere();
      make();
      const id = await shell();
      terminals.dispose();
      terminals = open();
      const { options, rows } = await choose('Running Shell 1');
      assert.deepEqual(rows, [['New Shell:', 'Running Shell 1: waits for a command']]);
      assert.ok(options && 'pty' in options);
      assert.ok(terminals.shows(id));
      const terminal = vscode.window.createTerminal(options);
      const end = closed(terminal);
      terminal.sendText('exit 9');
      assert.equal(await end, 9);
    });
  });
});
