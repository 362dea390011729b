import assert from 'node:assert/strict';
import { serverId } from '../../../../src/features/settings/page/ids';
import { events, files, search } from '../../../ui/form/samples';
import { withServers } from './drawnForm';

/** The page with these servers, the first of them open. */
function opened(...servers: (typeof files)[]) {
  const page = withServers(servers);
  const [first] = servers;
  const id = (part: string) => serverId(first!.id, part);
  page.click(id('toggle'));
  return { ...page, id, first: () => page.servers()[0]! };
}
const titles = ({ html }: { html: string }, id: (part: string) => string) => {
  const editor = html.slice(html.indexOf(`id="${id('editor')}"`));
  return [...editor.matchAll(/id="mcp-[^"]*-(\w+)-title"[^>]*>([^<]*)</g)].map(([, , title]) => title);
};

describe('the editor of an MCP server', () => {
  it('has what a server of this kind has', () => {
    for (const [of, members] of [
      [search, ['Kind', 'URL', 'API key', 'Timeout']],
      [events, ['Kind', 'URL', 'API key']],
      [files, ['Kind', 'Name', 'Command', 'Arguments', 'Environment variables']],
    ] as const) {
      const { now, id } = opened(of);
      assert.deepEqual(titles(now(), id), members);
    }
  });

  it('opens below its row, and closes', () => {
    const { tag, click, id } = opened(search);
    assert.match(tag(id('toggle')) ?? '', /aria-expanded="true"\s+aria-controls="mcp-one-editor"/);
    assert.ok(tag(id('editor')));
    click(id('toggle'));
    assert.match(tag(id('toggle')) ?? '', /aria-expanded="false"/);
    assert.doesNotMatch(tag(id('toggle')) ?? '', /aria-controls/);
    assert.equal(tag(id('editor')), undefined);
  });

  it('changes the kind, with the members of both kept', () => {
    const { now, id, first } = opened(search);
    const choose = (selectedIndex: number) =>
      now().dispatch(`id="${id('kind')}"`, 'change', { target: { selectedIndex } });
    choose(2);
    assert.deepEqual([first().kind, first().url], ['stdio', search.url]);
    choose(1);
    assert.equal(first().kind, 'sse');
    choose(3);
    assert.equal(first().kind, 'sse', 'there’s no such choice');
  });

  it('takes what is typed, and shows what is wrong beside it', () => {
    const { app, type, tag, now, id, first } = opened(search);
    type(id('url'), 'https://other.example/mcp');
    assert.equal(first().url, 'https://other.example/mcp');
    assert.match(tag(id('url')) ?? '', /aria-invalid="false"/);
    type(id('url'), 'ftp://other.example');
    assert.match(tag(id('url')) ?? '', /aria-invalid="true"/);
    assert.match(tag(id('timeout')) ?? '', /aria-invalid="false"/);
    const { html } = now();
    const below = (part: string) =>
      html.slice(html.indexOf(`id="${id(`${part}-error`)}"`)).split('</div>', 1)[0];
    assert.match(below('url') ?? '', /class="error"/);
    assert.doesNotMatch(below('timeout') ?? '', /class="error"/);
    const target = { at: 'mcp', id: 'one', member: 'name' } as const;
    app.change((form) => ({ ...form, refused: [{ target, message: 'No such name.' }] }));
    const rest = now().html;
    assert.match(
      rest.slice(rest.indexOf(`id="${id('errors')}"`)).split('</div>', 1)[0] ?? '',
      /No such name\./,
    );
  });

  it('reads the timeout as a number, or says that it isn’t one', () => {
    const { type, tag, id, first } = opened(search);
    const value = () => / value="([^"]*)"/.exec(tag(id('timeout')) ?? '')?.[1];
    assert.equal(value(), '60');
    type(id('timeout'), '90');
    assert.deepEqual([first().timeout, value()], [90, '90']);
    type(id('timeout'), 'soon');
    assert.deepEqual([first().timeout, value()], [90, 'soon']);
    assert.match(tag(id('timeout')) ?? '', /class="number"\s+inputmode="numeric"[^]*aria-invalid="true"/);
    type(id('timeout'), ' ');
    assert.equal(first().timeout, null);
    const without = opened({ ...search, timeout: null });
    assert.match(without.tag(without.id('timeout')) ?? '', /placeholder="Service default"[^]* value=""/);
  });

  it('adds, changes, and removes arguments, each by itself', () => {
    const { click, type, now, id, first, focused } = opened({ ...files, args: ['a', 'b'] });
    assert.match(now().html, /aria-label="Argument 1"[^]*aria-label="Argument 2"/);
    click(id('args'));
    assert.deepEqual(first().args, ['a', 'b', '']);
    assert.equal(focused.at(-1), id('args-2'));
    type(id('args-1'), 'x y');
    assert.deepEqual(first().args, ['a', 'x y', '']);
    const remove = (index: number) => now().dispatch(`aria-describedby="${id(`args-${index}`)}"`, 'click');
    remove(0);
    assert.deepEqual(first().args, ['x y', '']);
    assert.equal(focused.at(-1), `${id('args-0')} or ${id('args')}`);
    remove(1);
    assert.deepEqual(first().args, ['x y']);
    assert.equal(focused.at(-1), `${id('args-0')} or ${id('args')}`, 'the one before it');
  });

  it('makes a line break in an argument only with Shift+Enter', () => {
    const { now, id } = opened({ ...files, args: ['a'] });
    const isPrevented = (key: string, shiftKey: boolean) => {
      let prevented = false;
      const preventDefault = () => (prevented = true);
      now().dispatch(`id="${id('args-0')}"`, 'keydown', { key, shiftKey, preventDefault });
      return prevented;
    };
    assert.deepEqual(
      [isPrevented('Enter', false), isPrevented('Enter', true), isPrevented('a', false)],
      [true, false, false],
    );
  });

  it('adds, renames, and removes variables, whose values the editor asks for', () => {
    const { click, type, tag, now, asks, posted, id, first, focused } = opened(files);
    click(id('env'));
    assert.deepEqual(
      first().env.map(({ name }) => name),
      ['FILES_TOKEN', ''],
    );
    assert.equal(focused.at(-1), id('env.1'));
    assert.match(now().html, /aria-label="Name of variable 1"[^]*aria-label="Name of variable 2"/);
    type(id('env.1'), 'A=B');
    assert.match(tag(id('env.1')) ?? '', /aria-invalid="true"/);
    assert.match(tag(id('env.0')) ?? '', /aria-invalid="false"/);
    type(id('env.1'), 'OTHER');
    assert.deepEqual(
      first().env.map(({ name }) => name),
      ['FILES_TOKEN', 'OTHER'],
    );
    assert.deepEqual(
      asks(() => click(id('env.0-value'))),
      ['edits', 'replaceSecret'],
    );
    const [, asked] = posted;
    assert.ok(asked?.type === 'replaceSecret');
    assert.deepEqual(asked.target, { at: 'mcpEnv', id: 'three', name: 'FILES_TOKEN' });
    const remove = () => now().dispatch(`aria-describedby="${id('env.0')}"`, 'click');
    assert.ok(!asks(remove).includes('keepSecret'), 'nothing was typed');
    assert.deepEqual(
      first().env.map(({ name }) => name),
      ['OTHER'],
    );
    assert.equal(focused.at(-1), id('env'));
  });

  it('drops the typed value of a variable with it', () => {
    const { now, asks, posted, id } = opened({
      ...files,
      env: [{ name: 'TOKEN', presence: 'set', intention: 'replace' }],
    });
    assert.ok(
      asks(() => now().dispatch(`aria-describedby="${id('env.0')}"`, 'click')).includes('keepSecret'),
    );
    const kept = posted.find((one) => one.type === 'keepSecret');
    assert.deepEqual(kept?.type === 'keepSecret' && kept.target, {
      at: 'mcpEnv',
      id: 'three',
      name: 'TOKEN',
    });
  });

  it('can clear an API key, but not the value of a variable', () => {
    const clears = (of: typeof files) => {
      const { now, id } = opened(of);
      const { html } = now();
      const editor =
        html.slice(html.indexOf(`id="${id('editor')}"`)).split('class="test-result"', 1)[0] ?? '';
      return />\s*Clear\s*</.test(editor);
    };
    assert.ok(clears(search));
    assert.ok(!clears(files));
    const { now, id, asks, posted } = opened(search);
    assert.deepEqual(
      asks(() => now().dispatch(`id="${id('apiKey')}"`, 'click')),
      ['replaceSecret'],
    );
    assert.deepEqual(posted[0]?.type === 'replaceSecret' && posted[0].target, { at: 'mcpApiKey', id: 'one' });
  });

  it('says what can’t be done with the server, and why', () => {
    const words = (of: typeof files) => opened(of).now().text;
    const [off, test] = [/can’t turn a server off/, /can’t be tested from this computer/];
    assert.match(words(search), off);
    assert.doesNotMatch(words({ ...search, enabled: true }), off);
    assert.match(words(files), test);
    assert.doesNotMatch(words(search), test);
    const page = withServers([]);
    page.click('add-server');
    assert.doesNotMatch(page.now().text, off, 'it isn’t there yet');
  });

  it('opens for a server that is added or copied, at what has to be filled in', () => {
    const page = withServers([search, files]);
    page.app.set({ search: 'example', filter: 'x' });
    page.click('add-server');
    assert.deepEqual([page.app.state.search, page.app.state.filter], ['', '']);
    const added = page.servers()[2]!;
    assert.equal(added.kind, 'shttp');
    assert.ok(page.app.state.open.has(added.id));
    assert.equal(page.focused.at(-1), serverId(added.id, 'kind'));
    const copies = [
      ['one', 'url'],
      ['three', 'name'],
    ] as const;
    for (const [index, [id, member]] of copies.entries()) {
      page.now().press('Duplicate', index);
      const copy = page.servers().at(-1)!;
      assert.equal(copy.copiedFrom, id);
      assert.equal(page.focused.at(-1), serverId(copy.id, member));
    }
    const fresh = withServers([]);
    fresh.click('add-server');
    fresh.asked('Duplicate');
    assert.equal(fresh.servers()[1]?.copiedFrom, undefined, 'the service has neither');
  });
});
