import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseConversation } from '../../src/features/targets/commands/chooseConversation';
import { askBranch, askRepository } from '../../src/features/start/commands/askRepository';
import type { ConversationChoice } from '../../src/features/start/model/choice';
import { openUrl } from '../../src/features/sandboxes/commands/openUrl';
import type { Sandbox } from '../../src/api/service/schemas/sandbox';
import { sameAddress } from '../../src/editor/openAddress';
import type { ServiceModel } from '../../src/core/lists/serviceModel';
import { RowTree, type RowElement } from '../../src/editor/rows/rowTree';
import { aClient } from '../support/builders/client';
import { aConversation, aSandbox } from '../support/builders/records';
import { rowsOf } from '../support/builders/rows';
import { checkShown, hostileStrings } from '../unit/faults/hostileStrings';

/** The text of a tooltip, which is Markdown with everything escaped except the title’s formatting. */
function textOf(tooltip: vscode.TreeItem['tooltip']): string | undefined {
  if (tooltip === undefined) return undefined;
  assert.ok(tooltip instanceof vscode.MarkdownString);
  const { value, isTrusted, supportHtml, supportThemeIcons } = tooltip;
  assert.deepEqual(
    [isTrusted, supportHtml, supportThemeIcons].map(Boolean),
    [false, false, false],
    'tooltips run, draw and trust nothing',
  );
  const lines = value.split(/(?:  )?\n/).map((line) => line.replace(/^\*\*(.*)\*\*$/s, '$1'));
  for (const line of lines) assert.doesNotMatch(line.replace(/\\[!-/:-@[-`{-~]/g, ''), /[!-/:-@[-`{-~]/);
  return lines.map((line) => line.replace(/\\([!-/:-@[-`{-~])/g, '$1')).join('\n');
}

describe('service text in the trees', () => {
  for (const [name, text] of Object.entries(hostileStrings)) {
    it(`is plain text: ${name}`, async () => {
      const sandbox = aSandbox({
        id: `id ${text}`,
        status: text,
        status_detail: text,
        sandbox_spec_id: text,
        exposed_urls: [{ name: text, url: `https://a.example/${text}` }],
      });
      const conversation = aConversation({ title: text, sandbox_id: sandbox.id, selected_repository: text });
      const rows = rowsOf({ sandboxes: [sandbox], conversations: [conversation] });
      const tree = new RowTree();
      tree.show(rows);
      let items = 0;
      const walk = (element: RowElement) => {
        const { label, description, tooltip } = tree.resolveTreeItem(tree.getTreeItem(element), element);
        for (const words of [label, description, textOf(tooltip)].filter((one) => one !== undefined)) {
          // A label object could be highlighted.
          assert.ok(typeof words === 'string');
          words.split('\n').forEach((line) => checkShown(line, 600));
        }
        items += 1;
        element.children.forEach(walk);
      };
      (await tree.getChildren()).forEach(walk);
      assert.ok(items >= 4);
      tree.dispose();
    });
  }
});

/** The items of the first list that `ask` shows. The user then cancels. */
async function itemsOf(ask: () => Promise<unknown>): Promise<readonly vscode.QuickPickItem[]> {
  const { createQuickPick } = vscode.window;
  const picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  Object.assign(vscode.window, {
    createQuickPick: () => {
      const pick = createQuickPick();
      picks.push(pick);
      return pick;
    },
  });
  try {
    const answer = ask();
    await new Promise((resolve) => setImmediate(resolve));
    const [pick] = picks;
    assert.ok(pick);
    const { items } = pick;
    pick.hide();
    assert.equal(await answer, undefined);
    return items;
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
}

function checkItems(items: readonly vscode.QuickPickItem[]): void {
  for (const { label, description = '' } of items) {
    checkShown(label, 120);
    // The current item is labeled as current.
    checkShown(description, 200 + 12);
  }
}

describe('service text in a question', () => {
  for (const [name, text] of Object.entries(hostileStrings)) {
    it(`is plain text: ${name}`, async () => {
      const items = [
        aConversation({ id: `a ${text}`, title: text, selected_repository: text }),
        aConversation({ id: `b ${text}`, title: '' }),
      ];
      const model = { refresh: () => Promise.resolve(), conversations: { state: { items } } };
      const shown = await itemsOf(() =>
        chooseConversation(model as unknown as ServiceModel, undefined, { title: 'Select' }),
      );
      assert.equal(shown.length, 2);
      checkItems(shown);
    });
  }
});

describe('git’s text in a question', () => {
  for (const [name, text] of Object.entries(hostileStrings)) {
    it(`is plain text: ${name}`, async () => {
      const proposal = {
        repository: text,
        branch: text,
        branches: [`b ${text}`],
        pushed: true,
        provider: undefined,
        remote: text,
        root: '/',
      };
      const choice = { repository: text, branch: text, place: { kind: 'default' } } as ConversationChoice;
      const client = aClient();
      const repositories = await itemsOf(() => askRepository({ ...choice }, [proposal], client));
      const branches = await itemsOf(() => askBranch({ ...choice }, [proposal], client));
      assert.ok(repositories.length > 1 && branches.length > 2);
      checkItems([...repositories, ...branches]);
    });
  }
});

describe('refused exposed URLs', () => {
  const opened: string[] = [];
  const said: string[] = [];
  const { openExternal } = vscode.env;
  const { showErrorMessage } = vscode.window;
  before(() => {
    Object.defineProperty(vscode.env, 'openExternal', {
      configurable: true,
      value: (uri: vscode.Uri) => {
        opened.push(uri.toString(true));
        return Promise.resolve(true);
      },
    });
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => {
        said.push(message);
        return Promise.resolve(undefined);
      },
    });
  });
  after(() => {
    Object.defineProperty(vscode.env, 'openExternal', { configurable: true, value: openExternal });
    Object.assign(vscode.window, { showErrorMessage });
  });

  const open = async (url: string) => {
    const sandbox: Sandbox = aSandbox({ exposed_urls: [{ name: '[x](command:quit)', url }] });
    const model = { sandboxesNow: () => Promise.resolve([sandbox]) } as unknown as ServiceModel;
    await openUrl({ model })({ ref: { kind: 'url', sandboxId: sandbox.id, name: '[x](command:quit)' } });
  };

  for (const url of [
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'vscode://agent-workspace.agent-workspace/connect?url=https://evil.example',
    'vscode-insiders://file/x',
    'javascript:alert(1)',
    'data:text/html,x',
    '\\\\server\\share\\x.exe',
    '//server/share',
    'https://ada:canary@one.example/',
    'http://one.example/',
    'http://10.0.0.1/',
    'http://localhost\\@evil.example/x',
    'https://good.example\\@evil.example/',
    'x'.repeat(1_000_000),
  ]) {
    it(`report the reason for ${url.slice(0, 60)}`, async () => {
      await open(url);
      assert.deepEqual(opened, []);
      const [message = ''] = said.splice(0);
      assert.match(message, /Can’t open .+: ./);
      checkShown(message, 300);
      assert.ok(!message.includes('canary'));
    });
  }

  it('include addresses that the editor would resolve to another host', () => {
    const url = new URL('https://good.example/');
    Object.defineProperty(url, 'href', { value: 'https://evil.example/' });
    assert.throws(() => sameAddress(url), /ambiguous/);
    assert.equal(sameAddress(new URL('http://[::1]:80/a?b=%40#c')).authority, '[::1]');
    assert.equal(sameAddress(new URL('https://bücher.example:444/')).authority, 'xn--bcher-kva.example:444');
  });

  it('do not include safe URLs, which are opened character by character', async () => {
    const urls = [
      'https://one.example/?tkn=a%20b%2Bc%26d%23e',
      'https://one.example/a%2Fb?next=%2Fadmin%26delete%3Dall#%2F',
      'http://localhost:8000/',
    ];
    for (const url of urls) await open(url);
    assert.deepEqual(opened, urls);
    assert.deepEqual(said, []);
  });
});
