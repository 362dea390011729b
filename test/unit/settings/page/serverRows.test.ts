import assert from 'node:assert/strict';
import { serverId } from '../../../../src/features/settings/page/ids';
import { setRows } from '../../../../src/features/settings/page/model';
import { changeServer } from '../../../../src/features/settings/page/rows';
import type { TestResult } from '../../../../src/features/settings/shared/messages';
import { testedAs, type McpServer } from '../../../../src/shared/mcp';
import type { ParkedServer } from '../../../../src/shared/parked';
import { events, files, formMessage, sampleModel, search, sleeping } from '../../../ui/form/samples';
import { drawnForm, withServers } from './drawnForm';

type Page = ReturnType<typeof withServers>;

/** The row of a server, without the rest of the page. */
function rowIn(page: Page, id: string): string {
  const { html } = page.now();
  const rows = html.split('id="add-server"', 1)[0]!.split(/(?=<li\s+class="row")/);
  return rows.find((row) => row.includes(`id="${serverId(id, 'toggle')}"`)) ?? '';
}
/** The buttons of that row, by what’s written on them or their name. */
const buttonsOf = (page: Page, id: string) =>
  [...rowIn(page, id).matchAll(/<button\b([^>]*)>([^]*?)<\/button>/g)].flatMap(([, tag = '', words = '']) => {
    if (tag.includes('row-toggle')) return [];
    const name = /aria-label="([^"]*)"/.exec(tag)?.[1] ?? words.trim();
    return tag.includes('aria-disabled="true"') ? `${name} (disabled)` : name;
  });
const pills = (page: Page, id: string) =>
  [...rowIn(page, id).matchAll(/class="pill"[^>]*>([^<]*)</g)].map(([, words]) => words);
const summary = (of: McpServer) => /class="row-summary">([^<]*)</.exec(rowIn(withServers([of]), of.id))?.[1];
const edit = (page: Page, id: string, change: Partial<McpServer>) =>
  page.app.change((form) =>
    setRows(
      form,
      changeServer(form.rows, id, () => change),
      id,
    ),
  );
const lone = { ...search, id: 'lone', url: 'https://lone.example/mcp' };

describe('the row of an MCP server', () => {
  it('says what the server is, and whether it has secrets', () => {
    const { apiKey: key } = search;
    assert.equal(summary(search), 'HTTP · with key');
    assert.equal(summary({ ...search, apiKey: { ...key, intention: 'clear' } }), 'HTTP');
    assert.equal(
      summary({ ...search, apiKey: { presence: 'notSet', intention: 'replace' } }),
      'HTTP · with key',
    );
    assert.equal(summary(events), 'SSE');
    assert.equal(summary({ ...files, args: ['a', 'b'] }), 'Command · npx a b · 1 variable');
  });

  it('says how it was changed, and what to do with what was', () => {
    const page = withServers([lone, { ...events, enabled: false }]);
    assert.deepEqual([pills(page, 'lone'), pills(page, 'two')], [[], ['off']]);
    const tag = () => rowIn(page, 'lone').split('>', 1)[0];
    assert.match(tag() ?? '', /data-state="same"/);
    assert.doesNotMatch(tag() ?? '', /data-changed/);
    assert.deepEqual(buttonsOf(page, 'lone'), ['Test', 'Park', 'Duplicate', 'Delete']);
    edit(page, 'lone', { url: 'https://other.example' });
    assert.deepEqual(pills(page, 'lone'), ['changed']);
    assert.match(tag() ?? '', /data-state="changed"\s+data-changed/);
    assert.deepEqual(buttonsOf(page, 'lone'), ['Test', 'Park (disabled)', 'Duplicate', 'Delete']);
    assert.match(rowIn(page, 'lone'), /id="mcp-lone-reason">Save or undo your changes/);
    edit(page, 'lone', { url: 'ftp://other.example' });
    assert.deepEqual(pills(page, 'lone'), ['changed', 'needs attention']);
    assert.match(rowIn(page, 'lone'), /class="error"/);
    page.click(serverId('two', 'delete'));
    assert.deepEqual([pills(page, 'two'), buttonsOf(page, 'two')], [['will be deleted'], ['Keep']]);
    assert.match(rowIn(page, 'two'), /<s>https:\/\/events\.example\.com\/sse<\/s>/);
    assert.doesNotMatch(rowIn(page, 'two'), /<button[^>]*row-toggle|row-reason|test-result/);
    page.click('add-server');
    const { id } = page.servers()[2]!;
    assert.deepEqual(pills(page, id), ['new']);
    assert.match(rowIn(page, id), /New server/);
    assert.ok(!buttonsOf(page, id).includes('Park'));
    assert.match(id, /^new-./);
  });

  it('deletes the server, and keeps it again', () => {
    const page = withServers([lone]);
    const { form, focused } = page;
    page.click(serverId('lone', 'delete'));
    assert.equal(form().rows[0]?.deleted, true);
    assert.equal(focused.at(-1), `${serverId('lone', 'keep')} or add-server`);
    page.click(serverId('lone', 'keep'));
    assert.equal(form().rows[0]?.deleted, false);
    assert.equal(focused.at(-1), serverId('lone', 'delete'));
  });

  it('leaves alone what only an administrator can remove', () => {
    const page = withServers([lone, events], { operators: ['lone'] });
    assert.deepEqual(buttonsOf(page, 'lone'), ['Test', 'Park (disabled)', 'Duplicate', 'Delete (disabled)']);
    assert.match(rowIn(page, 'lone'), /row-reason[^>]*>This server came back/);
    assert.deepEqual(buttonsOf(page, 'two'), ['Test', 'Park', 'Duplicate', 'Delete']);
    assert.doesNotMatch(rowIn(page, 'two'), /row-reason/);
    page.click(serverId('lone', 'delete'));
    assert.equal(page.form().rows[0]?.deleted, false);
  });

  it('parks the server, and turns it off and on where the service can', () => {
    const page = withServers([{ ...lone, enabled: true }, events]);
    assert.deepEqual(
      page.asks(() => page.click(serverId('lone', 'park'))),
      ['parkServer'],
    );
    assert.ok(!buttonsOf(page, 'two').some((name) => name.startsWith('Turn')));
    assert.ok(buttonsOf(page, 'lone').includes('Turn off'));
    page.click(serverId('lone', 'switch'));
    assert.equal(page.servers()[0]?.enabled, false);
    assert.ok(buttonsOf(page, 'lone').includes('Turn on'));
    page.click(serverId('lone', 'switch'));
    assert.equal(page.servers()[0]?.enabled, true);
  });

  it('tests the server, signs in to it, or cancels that', () => {
    const can = (testsServers: boolean, id: string, change: Partial<McpServer> = {}) => {
      const page = drawnForm(formMessage(sampleModel({ mcpServers: [lone, files], testsServers })));
      if (Object.keys(change).length > 0) edit(page, id, change);
      return buttonsOf(page, id).filter((name) => ['Test', 'Sign in'].includes(name));
    };
    assert.deepEqual(can(false, 'lone'), ['Test']);
    assert.deepEqual(can(false, 'three'), [], 'commands run only in the sandbox');
    assert.deepEqual(can(true, 'lone'), ['Test', 'Sign in']);
    assert.deepEqual(can(true, 'lone', { timeout: 5 }), ['Test'], 'only what the service has');
    assert.deepEqual(can(true, 'three'), ['Test']);
    const page = drawnForm(formMessage(sampleModel({ mcpServers: [lone], testsServers: true })));
    assert.deepEqual(
      page.asks(() => page.click(serverId('lone', 'test'))),
      ['testServer'],
    );
    assert.deepEqual(
      page.asks(() => page.click(serverId('lone', 'sign-in'))),
      ['signInToServer'],
    );
    page.app.receive({ type: 'test', id: 'lone', about: [], result: null });
    assert.deepEqual(buttonsOf(page, 'lone')[0], 'Cancel');
    assert.deepEqual(
      page.asks(() => page.click(serverId('lone', 'test'))),
      ['cancelTest'],
    );
  });

  it('shows how the test goes, from where, and how it ended', () => {
    const page = withServers([lone]);
    const told = (result: TestResult | null, signsIn?: boolean, of = page) => {
      const about = testedAs(lone);
      of.app.receive({ type: 'test', id: 'lone', about, result, ...(signsIn !== undefined && { signsIn }) });
      const { html } = of.now();
      const [, words = ''] =
        /id="mcp-lone-test-result">([^]*?)<\/li>\s*(?:<\/ul>|<li class="row)/.exec(html) ?? [];
      return words
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    };
    assert.equal(told(null), 'Testing from this computer…');
    assert.equal(told(null, true), 'Signing in to https://lone.example/mcp…');
    const service = drawnForm(formMessage(sampleModel({ mcpServers: [lone], testsServers: true })));
    assert.equal(told(null, false, service), 'Testing…');
    assert.equal(told({ ok: false, message: 'It’s down.' }), 'It’s down.');
    const good = { ok: true, server: 'Tools 1.0', message: 'It works.' } as const;
    assert.equal(told({ ...good, tools: ['a', 'b'], count: 5 }), 'Tools 1.0 It works. a b and 3 more');
    assert.equal(told({ ...good, tools: ['a'], count: 1 }), 'Tools 1.0 It works. a');
    assert.equal(told({ ...good, server: '', tools: [], count: 0 }), 'It works.');
    assert.doesNotMatch(page.now().html, /<strong>|class="tools"/);
    edit(page, 'lone', { url: 'https://other.example' });
    assert.doesNotMatch(page.now().text, /It works/, 'it was another server');
  });
});

describe('the order of MCP servers', () => {
  const one = { ...lone, id: 'a', url: 'https://a.example' };
  const three = [
    one,
    { ...one, id: 'b', url: 'https://b.example' },
    { ...one, id: 'c', url: 'https://c.example' },
  ];
  const order = ({ servers }: Page) =>
    servers()
      .map(({ id }) => id)
      .join('');
  /** What moving takes from the document. */
  class Element {
    focused = 0;
    focus = () => (this.focused += 1);
  }
  class List {
    value = '';
  }
  const inBrowser = (act: () => void, activeElement: unknown = null) => {
    Object.assign(globalThis, { document: { activeElement }, HTMLElement: Element, HTMLSelectElement: List });
    try {
      act();
    } finally {
      for (const name of ['document', 'HTMLElement', 'HTMLSelectElement'])
        Reflect.deleteProperty(globalThis, name);
    }
  };

  const click = (page: Page, way: string, activeElement?: unknown) => {
    const shown = page.now();
    inBrowser(() => shown.dispatch(`id="${serverId('a', way)}"`, 'click'), activeElement);
  };

  it('can be changed with buttons, except beyond an end', () => {
    const page = withServers(three);
    const moves = (id: string) => buttonsOf(page, id).filter((name) => name.startsWith('Move'));
    assert.deepEqual(moves('a'), ['Move up (disabled)', 'Move down']);
    assert.deepEqual(moves('b'), ['Move up', 'Move down']);
    assert.deepEqual(moves('c'), ['Move up', 'Move down (disabled)']);
    const held = new Element();
    click(page, 'down', held);
    assert.deepEqual([order(page), held.focused], ['bac', 1], 'the focus stays');
    assert.match(page.now().text, /https:\/\/a\.example is now 2 of 3\./);
    click(page, 'up');
    assert.equal(order(page), 'abc');
  });

  it('can’t be changed while a search may hide those between, or with one of each kind', () => {
    const page = withServers(three);
    page.app.set({ filter: 'example' });
    assert.deepEqual(
      buttonsOf(page, 'b').filter((name) => name.startsWith('Move')),
      ['Move up (disabled)', 'Move down (disabled)'],
    );
    const key = { key: 'ArrowUp', altKey: true, preventDefault: () => undefined };
    const shown = page.now();
    inBrowser(() => shown.dispatch('data-mcp="https://b.example"', 'keydown', key));
    assert.equal(order(page), 'abc');
    assert.ok(
      !buttonsOf(withServers([search, events, files]), 'one').some((name) => name.startsWith('Move')),
    );
  });

  it('can be changed with Alt and the arrow keys', () => {
    const press = (change: object) => {
      const page = withServers(three);
      let prevented = 0;
      const event = {
        ...{ key: 'ArrowDown', altKey: true, ctrlKey: false, metaKey: false, shiftKey: false, target: null },
        ...{ preventDefault: () => (prevented += 1), ...change },
      };
      const shown = page.now();
      inBrowser(() => shown.dispatch('data-mcp="https://b.example"', 'keydown', event));
      return prevented > 0 ? order(page) : `${order(page)} as before`;
    };
    assert.deepEqual([press({}), press({ key: 'ArrowUp' })], ['acb', 'bac']);
    for (const change of [
      ...[{ key: 'ArrowLeft' }, { altKey: false }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }],
      { target: new List() },
    ])
      assert.equal(press(change), 'abc as before', JSON.stringify(change));
  });
});

describe('the list of MCP servers', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...lone, id: `s${at}`, url: `https://s${at}.example` }));
  const rows = (page: Page) =>
    page.now().html.match(/<li\s+class="row" data-mcp|<li\s+class="row"\s+data-mcp/g)?.length ?? 0;

  it('says that there is none', () => {
    const { now, asked } = withServers([]);
    assert.match(now().text, /No MCP servers yet\./);
    assert.doesNotMatch(now().text, /No servers match/);
    assert.deepEqual(asked('Import'), ['importServers']);
    assert.deepEqual(asked('Export'), ['exportServers']);
  });

  it('can be searched once it’s longer than a glance takes', () => {
    assert.doesNotMatch(withServers(many(3)).now().html, /aria-label="Search MCP servers"/);
    const page = withServers(many(4));
    const count = () => /<span class="help" role="status">([^<]*)</.exec(page.now().html)?.[1];
    assert.equal(count(), '4 servers');
    const search = (value: string) =>
      page.now().dispatch('aria-label="Search MCP servers"', 'input', { target: { value } });
    search('s2.');
    assert.deepEqual([count(), rows(page), page.app.state.filter], ['1 server', 1, 's2.']);
    assert.doesNotMatch(page.now().text, /No servers match/);
    search('none');
    assert.match(page.now().text, /0 servers No servers match the search\./);
  });

  it('draws the rows of a long list little by little, and those that are open at once', () => {
    const outlines = (page: Page) => page.now().html.match(/class="row-head outline"/g)?.length ?? 0;
    assert.equal(outlines(withServers(many(50))), 0);
    for (const [count, expected] of [
      [49, 0],
      [50, 49],
    ] as const) {
      const page = withServers(many(count));
      page.app.set({ drawnRows: 0, open: new Set(['s7']) });
      assert.deepEqual([outlines(page), page.now().html.includes('data-long')], [expected, expected > 0]);
    }
    const page = withServers(many(50));
    page.app.set({ drawnRows: 20 });
    assert.equal(outlines(page), 30);
  });

  it('says how importing ended until that’s dismissed', () => {
    const page = withServers([lone], { serverNotices: { words: ['3 imported.'], failed: false } });
    assert.match(page.now().text, /3 imported\. Dismiss/);
    assert.doesNotMatch(page.now().html, /data-failed/);
    assert.deepEqual(page.asked('Dismiss'), ['dismiss']);
    assert.equal(page.focused.at(-1), 'import-servers');
    assert.doesNotMatch(page.now().text, /3 imported/);
    assert.match(
      withServers([lone], { serverNotices: { words: ['No.'], failed: true } }).now().html,
      /class="notice" data-failed/,
    );
  });

  it('has parked servers below it, which can come back or be deleted', () => {
    assert.match(withServers([]).now().text, /No parked servers\./);
    const command = {
      ...sleeping,
      id: 'p2',
      kind: 'stdio',
      command: 'npx',
      args: ['x'],
      hasApiKey: false,
    } satisfies ParkedServer;
    // A server keeps what its former kind had.
    const page = withServers([], { parked: [{ ...sleeping, command: 'npx' }, command] });
    const since = new Date(sleeping.parkedAt).toLocaleDateString();
    assert.ok(
      page.now().text.includes(`https://sleeping.example.com/mcp HTTP · with secrets · since ${since}`),
    );
    assert.ok(page.now().text.includes(`Command · npx x · since ${since}`));
    assert.doesNotMatch(page.now().text, /No parked servers/);
    assert.deepEqual(page.asked('Restore'), ['restoreServer']);
    assert.deepEqual(page.asked('Delete', 1), ['deleteParked']);
    const [deleted] = page.posted;
    assert.equal(deleted?.type === 'deleteParked' && deleted.id, 'p2');
    page.app.set({ search: 'sleeping.example' });
    assert.doesNotMatch(page.now().text, /npx x/);
  });

  it('asks for secrets that a save needs, all at once', () => {
    const two = { ...search, id: 'other', url: 'https://other.example' };
    const hiddenSecrets = [
      { at: 'mcpApiKey', id: 'one' },
      { at: 'mcpApiKey', id: 'other' },
    ] as const;
    const page = drawnForm(
      formMessage(
        sampleModel({
          mcpServers: [search, two, events],
          hidesServerSecrets: true,
          hiddenSecrets: [...hiddenSecrets],
        }),
      ),
    );
    assert.doesNotMatch(page.now().text, /Enter \d Secret/);
    edit(page, 'two', { url: 'https://changed.example' });
    assert.match(
      page.now().text,
      /Enter those of https:\/\/search\.example\.com\/mcp, https:\/\/other\.example again/,
    );
    assert.deepEqual(page.asked('Enter 2 Secrets…'), ['edits', 'replaceSecrets']);
    const [, asked] = page.posted;
    assert.deepEqual(asked?.type === 'replaceSecrets' && asked.targets, hiddenSecrets);
    assert.equal(page.focused.at(-1), 'save');
    page.click(serverId('other', 'delete'));
    assert.ok(page.now().buttons.includes('Enter 1 Secret…'));
  });
});
