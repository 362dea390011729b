import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { testedAs } from '../../../src/shared/mcp';
import type { ParkedServer } from '../../../src/shared/parked';
import type { ShownForm, TestResult } from '../../../src/features/settings/shared/messages';
import { takePicture } from '../../support/picture';
import { FormPage, type Built } from './formPage';
import { openForm } from './formSuite';
import { events, files, formMessage, noEdits, sampleModel, search, server, sleeping } from './samples';
import { themes } from '../support/themes';

const imported = [
  server({
    id: 'new-1',
    url: 'https://weather.example.com/mcp',
    apiKey: { presence: 'notSet', intention: 'replace' },
  }),
  server({ id: 'new-2', kind: 'stdio', name: 'build', command: 'npx', args: ['-y', 'build-mcp'] }),
];
const added: Partial<ShownForm> = {
  steps: 1,
  edits: { ...noEdits, mcpServers: [search, events, files, ...imported] },
  serverNotices: {
    words: [
      '2 servers imported. They aren’t saved yet: review them, then save.',
      'weather: not imported: header “X-Team”.',
    ],
    failed: false,
  },
  goTo: { list: 'servers', id: 'new-1' },
};
const good: Extract<TestResult, { ok: true }> = {
  ok: true,
  server: 'Weather 1.2.3',
  tools: ['forecast', 'history', 'alerts'],
  count: 25,
  message: 'The server answered in 38 ms. Tools: 25. Tested from this computer, not from the sandbox.',
};
const bad: TestResult = {
  ok: false,
  message: 'The server refused the API key (HTTP 401). Tested from this computer, not from the sandbox.',
};
const tool: ParkedServer = {
  ...sleeping,
  id: 'p2',
  kind: 'stdio',
  url: '',
  name: 'tool',
  command: 'uvx',
  args: ['mcp-tool'],
  hasApiKey: false,
};
const told = (words: string[], failed = false): Partial<ShownForm> => ({ serverNotices: { words, failed } });
const test = (id: string, result: TestResult | null) =>
  ({ type: 'test', id, about: testedAs(id === search.id ? search : events), result }) as const;

describe('MCP server actions that take effect immediately', function () {
  this.timeout(60_000);
  let built: Built;
  let form: FormPage;

  openForm((opened, of) => {
    form = opened;
    built = of;
  });

  const picture = (of: Page | Locator, name: string, options?: { fullPage: true }) =>
    takePicture(of, `form-${name}`, options);
  const row = (label: string) => form.server(label);
  const focused = () => form.page.evaluate(() => document.activeElement?.id);

  describe('import and export', () => {
    it('are requested from the extension host, once it knows every edit', async () => {
      await form.field('git_user_name').fill('Grace');
      await form.button('Import').click();
      assert.deepEqual((await form.next('edits')).edits.values, { git_user_name: 'Grace' });
      assert.deepEqual(await form.next('importServers'), { type: 'importServers' });
      await form.button('Export').click();
      assert.deepEqual(await form.next('exportServers'), { type: 'exportServers' });
    });

    it('adds imported servers to the end, unsaved, and says what to do', async () => {
      await form.field('max_iterations').fill('many');
      await form.tell(added);
      assert.deepEqual((await form.edits()).mcpServers, [search, events, files, ...imported]);
      assert.equal(await row('build').getAttribute('data-state'), 'new');
      assert.equal(await focused(), 'mcp-new-1-toggle');
      const notices = form.page.locator('.server-notices');
      assert.equal(await notices.getAttribute('role'), 'status');
      assert.match(await notices.innerText(), /2 servers imported.*\s+weather: not imported/);
      assert.equal(await form.field('max_iterations').inputValue(), 'many');
      await notices.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal(await form.page.locator('.server-notices .notice').count(), 0);
      assert.equal(await focused(), 'import-servers');
    });

    it('shows imported servers even if a search would hide them', async () => {
      const many = Array.from({ length: 8 }, (_none, index) =>
        server({ id: `s${index}`, url: `https://host-${index}.example.com/mcp` }),
      );
      const message = formMessage();
      await form.send({ ...message, model: { ...message.model, mcpServers: many } });
      await form.page.getByRole('searchbox').fill('host-3');
      await form.tell(added);
      assert.equal(await row('build').count(), 1);
    });
  });

  describe('test', () => {
    it('is requested by the row’s ID only', async () => {
      await row(search.url).getByRole('button', { name: 'Test', exact: true }).click();
      assert.deepEqual(await form.next('testServer'), { type: 'testServer', id: 'one' });
    });

    it('can be canceled by pressing again, and says that it’s running', async () => {
      await form.send(test('one', null));
      assert.match(await row(search.url).locator('.test-result').innerText(), /Testing from this computer/);
      await row(search.url).getByRole('button', { name: 'Cancel', exact: true }).click();
      assert.deepEqual(await form.next('cancelTest'), { type: 'cancelTest', id: 'one' });
      await form.send({ ...test('one', null), signsIn: true });
      assert.match(await row(search.url).locator('.test-result').innerText(), /^Signing in to .*search/);
      await row(search.url).getByRole('button', { name: 'Cancel', exact: true }).click();
      assert.deepEqual(await form.next('cancelTest'), { type: 'cancelTest', id: 'one' });
      await form.send(test('one', bad));
      assert.equal(await row(search.url).getByRole('button', { name: 'Test', exact: true }).count(), 1);
    });

    it('shows the server and its tools with their number in a live region', async () => {
      await form.send(test('one', null), test('one', good));
      const result = row(search.url).locator('.test-result');
      assert.equal(await result.getAttribute('role'), 'status');
      assert.match(await result.innerText(), /Weather 1\.2\.3 The server answered in 38 ms\. Tools: 25\./);
      assert.match(await result.innerText(), /not from the sandbox/);
      assert.deepEqual(await result.getByRole('listitem').allInnerTexts(), [
        'forecast',
        'history',
        'alerts',
        'and 22 more',
      ]);
      assert.equal(await row(events.url).locator('.test-result').innerText(), '');
    });

    it('drops the result for a server that changed since', async () => {
      await form.send(test('one', null), test('one', good));
      await row(search.url).getByRole('button', { expanded: false }).click();
      await form.page.getByLabel('URL', { exact: true }).fill('https://other.example.com/mcp');
      assert.equal(await row('https://other.example.com/mcp').locator('.test-result').innerText(), '');
      await form.page.getByLabel('URL', { exact: true }).fill(search.url);
      assert.match(await row(search.url).locator('.test-result').innerText(), /Weather/);
    });

    it('isn’t available for a command, and says why', async () => {
      assert.equal(await row('filesystem').getByRole('button', { name: 'Test', exact: true }).count(), 0);
      await row('filesystem').getByRole('button', { expanded: false }).click();
      assert.match(await row('filesystem').innerText(), /start only in the sandbox, so they can’t be tested/);
    });

    it('has a sign-in beside it where the service signs in, for what it has already', async () => {
      const signIn = () => row(search.url).getByRole('button', { name: 'Sign in', exact: true });
      assert.equal(await signIn().count(), 0);
      const message = formMessage();
      await form.send({ ...message, model: { ...message.model, testsServers: true } });
      await signIn().click();
      assert.deepEqual(await form.next('signInToServer'), { type: 'signInToServer', id: 'one' });
      assert.equal(await row('filesystem').getByRole('button', { name: 'Sign in' }).count(), 0);
      await row(search.url).getByRole('button', { expanded: false }).click();
      await form.page.getByLabel('URL', { exact: true }).fill('https://moved.example.com/mcp');
      assert.equal(await form.page.getByRole('button', { name: 'Sign in', exact: true }).count(), 1);
    });

    it('shows what a server says as plain text', async () => {
      const evil = '<img src=x onerror="document.title=1">';
      await form.send(test('one', null), test('one', { ...good, server: evil, tools: [`${evil}\u202e`] }));
      assert.equal(await form.page.locator('.test-result img').count(), 0);
      assert.ok((await row(search.url).locator('.test-result').innerText()).includes(evil));
    });
  });

  describe('park and restore', () => {
    it('are requested at once, by ID only', async () => {
      await row(search.url).getByRole('button', { name: 'Park', exact: true }).click();
      assert.deepEqual(await form.next('parkServer'), { type: 'parkServer', id: 'one' });
      await form.tell({ parked: [sleeping, tool] });
      await row(sleeping.url).getByRole('button', { name: 'Restore', exact: true }).click();
      assert.deepEqual(await form.next('restoreServer'), { type: 'restoreServer', id: 'p1' });
      await row('tool').getByRole('button', { name: 'Delete', exact: true }).click();
      assert.deepEqual(await form.next('deleteParked'), { type: 'deleteParked', id: 'p2' });
      assert.equal(await form.status.textContent(), 'No unsaved changes');
    });

    it('are described as separate from Save', async () => {
      const group = form.page.getByRole('group', { name: 'Parked servers' });
      assert.match(await group.innerText(), /take effect immediately, without Save/);
      assert.match(await group.innerText(), /No parked servers/);
      await form.tell({ parked: [sleeping] });
      assert.match(await row(sleeping.url).innerText(), /HTTP · with secrets · since .*2026/);
    });

    it('wait until the server’s changes are saved, and say so', async () => {
      await row(search.url).getByRole('button', { expanded: false }).click();
      await form.page.getByLabel('Timeout').fill('7');
      const button = row(search.url).getByRole('button', { name: 'Park', exact: true });
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      const described = (await button.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const reason = await form.page.locator(`#${described.at(-1)}`).innerText();
      assert.match(reason, /Save or undo your changes to this server/);
      await form.next('edits');
      await button.click({ force: true });
      assert.ok(!(await form.waiting()).includes('parkServer'));
      assert.equal(
        await row(events.url)
          .getByRole('button', { name: 'Park', exact: true })
          .getAttribute('aria-disabled'),
        'false',
      );
    });

    it('aren’t offered for a server that was never saved', async () => {
      await form.tell(added);
      assert.equal(await row('build').getByRole('button', { name: 'Park', exact: true }).count(), 0);
    });

    it('block the form while they run, and keep what was typed', async () => {
      await form.field('max_iterations').fill('many');
      await row(search.url).getByRole('button', { name: 'Park', exact: true }).click();
      await form.tell({ working: 'Parking…' });
      assert.equal(await form.status.textContent(), 'Parking…');
      assert.equal(await form.button('Save').getAttribute('aria-disabled'), 'true');
      assert.equal(await form.page.locator('main').getAttribute('inert'), '');
      await form.tell({
        document: 'second',
        model: sampleModel({ mcpServers: [events, files] }),
        parked: [sleeping],
        working: null,
        ...told(['It is parked here.']),
        goTo: { list: 'parked', id: 'p1' },
      });
      assert.equal(await form.field('max_iterations').inputValue(), 'many');
      assert.equal(await form.status.textContent(), '1 unsaved change');
      assert.equal(await focused(), 'parked-p1-restore');
      assert.match(await form.page.locator('.server-notices').innerText(), /It is parked here/);
      assert.equal(await form.button('Save').getAttribute('aria-disabled'), 'false');

      await form.tell({ parked: [], goTo: { list: 'servers', id: 'two' } });
      assert.equal(await focused(), 'mcp-two-toggle');
    });

    it('restore the focus if they fail', async () => {
      const button = row(search.url).getByRole('button', { name: 'Park', exact: true });
      await button.click();
      await form.tell({ working: 'Parking…' });
      await form.tell({ working: null, ...told(['The service refused.'], true) });
      assert.match(await form.page.locator('.notice[data-failed]').innerText(), /The service refused/);
      assert.equal(await focused(), 'mcp-one-park');
    });
  });

  describe('with an operator’s server', () => {
    const button = (name: string) => row(events.url).getByRole('button', { name, exact: true });

    it('offers neither Park nor Delete, and says why', async () => {
      await form.send(formMessage(undefined, { operators: ['two'] }));
      for (const name of ['Park', 'Delete']) {
        assert.equal(await button(name).getAttribute('aria-disabled'), 'true');
        await button(name).click({ force: true });
        const described = (await button(name).getAttribute('aria-describedby'))?.split(' ') ?? [];
        const reason = await form.page.locator(`#${described.at(-1)}`).innerText();
        assert.match(reason, /only your administrator can remove it/);
      }
      assert.equal(await row(events.url).getAttribute('data-state'), 'same');
      assert.ok(!(await form.waiting()).includes('parkServer'));
      assert.equal(await button('Test').getAttribute('aria-disabled'), 'false');
      assert.equal(
        await row(search.url)
          .getByRole('button', { name: 'Delete', exact: true })
          .getAttribute('aria-disabled'),
        'false',
      );
    });
  });

  for (const theme of themes) {
    it(`looks right with parked servers in ${theme.name}, and axe finds nothing serious`, async () => {
      form = await FormPage.open(built, { theme, height: 1000 });
      await form.send(
        formMessage(undefined, {
          parked: [sleeping, tool],
          ...told(['Couldn’t save the settings (HTTP 500).'], true),
        }),
      );
      await row(events.url).getByRole('button', { expanded: false }).click();
      await form.page.getByLabel('URL', { exact: true }).fill('https://events.example.com/other');
      assert.deepEqual(await form.axe(), []);
      await picture(form.section('mcp'), `parked-${theme.name}`);
    });

    it(`looks right with an operator’s server in ${theme.name}, and axe finds nothing serious`, async () => {
      form = await FormPage.open(built, { theme, height: 1000 });
      const notice =
        'The MCP server https://events.example.com/sse came back. It’s part of the service’s configuration, and only your administrator can remove it.';
      await form.send(formMessage(undefined, { notices: [notice], operators: ['two'] }));
      await row(events.url).getByRole('button', { expanded: false }).click();
      assert.deepEqual(await form.axe(), []);
      await picture(form.page, `operator-${theme.name}`, { fullPage: true });
    });

    it(`looks right in ${theme.name}, and axe finds nothing serious`, async () => {
      form = await FormPage.open(built, { theme, height: 1000 });
      await form.send(
        formMessage(undefined, added),
        test('one', null),
        test('one', good),
        test('two', null),
        test('two', bad),
        test('new-1', null),
      );
      await row('filesystem').getByRole('button', { expanded: false }).click();
      assert.deepEqual(await form.axe(), []);
      await picture(form.section('mcp'), `mcp-test-${theme.name}`);
    });
  }

  for (const [what, width, fontSize] of [
    ['at 400 px', 400, '13px'],
    ['at a zoom of 200 % in a small group', 320, '13px'],
    ['with text twice as large', 500, '26px'],
  ] as const)
    it(`cuts off no name or button ${what}`, async () => {
      form = await FormPage.open(built, { theme: themes[0]!, width, height: 900 });
      await form.page.evaluate((size) => {
        document.documentElement.style.setProperty('--vscode-font-size', size);
      }, fontSize);
      await form.send(
        formMessage(undefined, {
          ...added,
          operators: ['two'],
          parked: [sleeping, tool],
          ...told(['The service refused.'], true),
        }),
        test('one', null),
        test('one', good),
      );
      const cut = await form.page.locator('.row-label, [data-section="mcp"] button').evaluateAll((list) =>
        list
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return left < 0 || right > window.innerWidth || element.scrollWidth > element.clientWidth + 1;
          })
          .map((element) => element.textContent.trim()),
      );
      assert.deepEqual(cut, []);
      assert.deepEqual(await form.axe(), []);
      await picture(form.section('mcp'), `mcp-${width}-${fontSize}`);
    });

  it('fits into 400 px', async () => {
    form = await FormPage.open(built, { theme: themes[0]!, width: 400, height: 900 });
    await form.send(
      formMessage(undefined, { ...added, parked: [sleeping, tool] }),
      test('one', null),
      test('one', good),
      test('two', null),
      test('two', bad),
    );
    const overflow = await form.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
    await picture(form.section('mcp'), 'mcp-test-narrow');
  });
});
