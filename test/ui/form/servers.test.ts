import assert from 'node:assert/strict';
import type { FormPage } from './formPage';
import { openForm } from './formSuite';
import { events, files, formMessage, sampleModel, search, server } from './samples';

describe('the form’s MCP servers', function () {
  this.timeout(60_000);
  let form: FormPage;

  openForm((opened) => (form = opened));

  const open = (label: string) => form.server(label).getByRole('button', { expanded: false }).click();
  const servers = async () => (await form.edits()).mcpServers;

  it('shows the three kinds in one list by name or address', async () => {
    const rows = form.page.locator('[data-mcp]');
    assert.equal(await rows.count(), 3);
    assert.match(await form.server('https://search.example.com/mcp').innerText(), /HTTP · with key/);
    assert.match(await form.server('https://events.example.com/sse').innerText(), /SSE/);
    assert.match(await form.server('filesystem').innerText(), /Command · npx -y .*\/workspace · 1 variable/);
  });

  it('edits a server in place, and posts the whole list with that change only', async () => {
    await open('https://search.example.com/mcp');
    await form.page.getByLabel('URL', { exact: true }).fill('https://find.example.com/mcp');
    assert.deepEqual(await servers(), [{ ...search, url: 'https://find.example.com/mcp' }, events, files]);
    const row = form.server('https://find.example.com/mcp');
    assert.equal(await row.getAttribute('data-state'), 'changed');
    await row.getByLabel('Timeout').fill('5');
    assert.equal((await servers())?.[0]?.timeout, 5);
    await row.getByLabel('Timeout').fill('');
    assert.equal((await servers())?.[0]?.timeout, null);
  });

  it('posts no list if a change is reverted', async () => {
    await open('filesystem');
    await form.page.getByLabel('Command').fill('node');
    assert.equal((await servers())?.[2]?.command, 'node');
    await form.page.getByLabel('Command').fill('npx');
    assert.equal(await servers(), null);
    assert.equal(await form.status.textContent(), 'No unsaved changes');
  });

  it('adds a server of the selected kind, without errors before anything is typed', async () => {
    await form.button('Add server').click();
    const row = form.page.locator('[data-state="new"]');
    assert.equal(await form.page.evaluate(() => document.activeElement?.id.endsWith('-kind')), true);
    assert.equal(await row.locator('.error').count(), 0);
    await row.getByLabel('Kind').selectOption('stdio');
    await row.getByLabel('Name', { exact: true }).fill('memory');
    await row.getByLabel('Command').fill('uvx');
    await row.getByRole('button', { name: 'Add argument' }).click();
    await form.page.keyboard.type('mcp memory');
    await form.page.keyboard.press('Shift+Enter');
    await form.page.keyboard.type('second line');
    await row.getByRole('button', { name: 'Add argument' }).click();
    await form.page.keyboard.type('--flag');
    await form.saveReviewed();
    const added = (await form.next('save')).edits.mcpServers?.at(-1);
    assert.ok(added?.id.startsWith('new-'));
    assert.deepEqual(
      { ...added, id: '' },
      server({
        id: '',
        kind: 'stdio',
        name: 'memory',
        command: 'uvx',
        args: ['mcp memory\nsecond line', '--flag'],
      }),
    );
  });

  it('keeps line breaks in unchanged arguments', async () => {
    await form.send(formMessage(sampleModel({ mcpServers: [{ ...files, args: ['a\nb', 'c'] }] })));
    await open('filesystem');
    await form.page.getByLabel('Argument 2').fill('d');
    assert.deepEqual((await servers())?.[0]?.args, ['a\nb', 'd']);
    await form.page.getByRole('button', { name: 'Remove' }).first().click();
    assert.deepEqual((await servers())?.[0]?.args, ['d']);
  });

  it('says what’s missing after a first Save, and goes there', async () => {
    await form.button('Add server').click();
    await form.button('Save').click();
    const row = form.page.locator('[data-state="new"]');
    await form.page.waitForFunction(() => document.activeElement?.id.endsWith('-url'));
    assert.match(
      await row.locator('.error').innerText(),
      /Enter an http, https, ws, or wss address with a host/,
    );
    assert.ok(!(await form.waiting()).includes('save'));
  });

  it('goes to a problem in a closed, filtered row', async () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      server({ id: `s${index}`, url: `https://host-${index}.example.com/mcp` }),
    );
    await form.send(formMessage(sampleModel({ mcpServers: many })));
    await open('https://host-3.example.com/mcp');
    await form.page.getByLabel('URL', { exact: true }).fill('nowhere');
    await form.server('nowhere').getByRole('button', { expanded: true }).click();
    await form.page.getByRole('searchbox').fill('host-5');
    assert.equal(await form.page.locator('[data-mcp]').count(), 1);
    assert.equal(await form.section('mcp').locator('.help[role="status"]').innerText(), '1 server');
    await form.button('Save').click();
    await form.page.waitForFunction(() => document.activeElement?.id === 'mcp-s3-url');
    assert.equal(await form.page.locator('[data-mcp]').count(), 8);
  });

  it('deletes a server, and can restore it', async () => {
    const row = form.server('https://events.example.com/sse');
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    assert.deepEqual(await servers(), [search, files]);
    assert.match(await row.innerText(), /will be deleted/);
    assert.equal(await row.locator('s').innerText(), 'https://events.example.com/sse');
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'mcp-two-keep');
    await form.page.keyboard.press('Enter');
    assert.equal(await servers(), null);
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'mcp-two-delete');
  });

  it('removes a server that was just added', async () => {
    await form.button('Add server').click();
    await form.page
      .locator('[data-state="new"]')
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    assert.equal(await form.page.locator('[data-mcp]').count(), 3);
    assert.equal(await form.page.evaluate(() => document.activeElement?.id), 'add-server');
  });

  it('changes the kind and back without losing the address', async () => {
    await open('https://search.example.com/mcp');
    const row = form.page.locator('[data-mcp]').first();
    await row.getByLabel('Kind').selectOption('stdio');
    assert.equal((await servers())?.[0]?.url, search.url);
    await row.getByLabel('Kind').selectOption('sse');
    assert.deepEqual((await servers())?.[0], { ...search, kind: 'sse' });
    assert.equal(await row.getByLabel('Timeout').count(), 0);
    await row.getByLabel('Kind').selectOption('shttp');
    assert.equal(await servers(), null);
  });

  it('refuses a second server with the same address or name', async () => {
    await open('https://events.example.com/sse');
    await form.page.getByLabel('Kind').selectOption('shttp');
    await form.page.getByLabel('URL', { exact: true }).fill(search.url);
    const rows = form.page.locator('[data-mcp]');
    assert.match(await rows.nth(1).locator('.error').innerText(), /already has this URL/);
    assert.equal(await rows.nth(0).locator('.error').count(), 0);
  });

  it('duplicates a server as a new one that needs its own name', async () => {
    await form.server('filesystem').getByRole('button', { name: 'Duplicate' }).click();
    const copy = (await servers())?.at(-1);
    assert.equal(copy?.copiedFrom, 'three');
    assert.equal(copy.name, 'filesystem-copy');
    assert.deepEqual(copy.env, files.env);
    await form.server('filesystem-copy').getByLabel('Name', { exact: true }).fill('filesystem');
    assert.match(
      await form.page.locator('[data-state="new"] .error').innerText(),
      /already one with this name/,
    );
  });

  it('asks for a server’s key, and shows what will happen to it', async () => {
    await open('https://search.example.com/mcp');
    const row = form.server('https://search.example.com/mcp');
    await row.getByRole('button', { name: 'Replace', exact: true }).click();
    const { target } = await form.next('replaceSecret');
    assert.deepEqual(target, { at: 'mcpApiKey', id: 'one' });
    await form.decide(target, 'replace');
    assert.deepEqual((await servers())?.[0]?.apiKey, { presence: 'set', intention: 'replace' });
    await row.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.deepEqual((await form.next('clearSecret')).target, target);
  });

  it('adds, names, and removes environment variables without ever having their values', async () => {
    await open('filesystem');
    const row = form.server('filesystem');
    await row.getByRole('button', { name: 'Add variable' }).click();
    await form.page.keyboard.type('API TOKEN');
    assert.match(await row.locator('.error').innerText(), /without spaces/);
    await row.getByLabel('Name of variable 2').fill('FILES_TOKEN');
    assert.match(await row.locator('.error').innerText(), /already one with this name/);
    await row.getByLabel('Name of variable 2').fill('API_TOKEN');
    await row.getByRole('button', { name: 'Replace', exact: true }).nth(1).click();
    const { target } = await form.next('replaceSecret');
    assert.equal(target.at, 'mcpEnv');
    await form.decide(target, 'replace');
    await row.getByLabel('Name of variable 2').fill('TOKEN');
    const [, , edited] = (await servers()) ?? [];
    assert.deepEqual(edited?.env[1], {
      name: 'TOKEN',
      originalName: target.name,
      presence: 'notSet',
      intention: 'replace',
    });
    await row.getByRole('button', { name: 'Remove' }).last().click();
    assert.deepEqual((await form.next('keepSecret')).target, target);
    assert.equal(await servers(), null);
  });

  it('remembers the service’s name for a renamed variable', async () => {
    await open('filesystem');
    await form.page.getByLabel('Name of variable 1').fill('NEW_TOKEN');
    assert.deepEqual((await servers())?.[2]?.env, [
      { name: 'NEW_TOKEN', originalName: 'FILES_TOKEN', presence: 'set', intention: 'keep' },
    ]);
    await form.page.getByLabel('Name of variable 1').fill('FILES_TOKEN');
    assert.equal(await servers(), null);
  });

  it('shows a save’s problem at the control it’s about', async () => {
    await open('filesystem');
    await form.page.getByLabel('Command').fill('node');
    await form.saveReviewed();
    await form.next('save');
    const at = (member: string) => ({ at: 'mcp', id: 'three', member }) as const;
    await form.tell({
      result: {
        kind: 'invalid',
        problems: [
          { target: at('command'), message: 'No such command.' },
          { target: at('env.0'), message: 'Not this variable.' },
          { target: at('server'), message: 'Not this server.' },
        ],
      },
    });
    const row = form.server('filesystem');
    await form.page.waitForFunction(() => document.activeElement?.id === 'mcp-three-command');
    assert.equal(await row.getByLabel('Command').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await row.locator('.error').allInnerTexts(), [
      'No such command.',
      'Not this variable.',
      'Not this server.',
    ]);
    await row.getByLabel('Command').fill('deno');
    assert.equal(await row.locator('.error').count(), 0);
  });

  it('shows 200 servers', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      server({ id: `s${index}`, url: `https://host-${index}.example.com/mcp` }),
    );
    await form.send(formMessage(sampleModel({ mcpServers: many })));
    assert.equal(await form.page.locator('[data-mcp]').count(), 200);
    // Rows out of view are drawn when the page is idle, but work like any other.
    const last = form.server('https://host-199.example.com/mcp');
    await last.getByRole('button', { name: 'Delete', exact: true }).click();
    assert.equal((await servers())?.length, 199);
    await last.getByRole('button', { name: 'Keep', exact: true }).waitFor();
  });

  it('goes to a server in a long list before all rows are drawn', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      server({ id: `s${index}`, url: `https://host-${index}.example.com/mcp` }),
    );
    // Without idle time, the rest is never drawn.
    await form.page.evaluate(() => (window.requestIdleCallback = () => 0));
    await form.send(formMessage(sampleModel({ mcpServers: many })));
    assert.equal(await form.server('https://host-150.example.com/mcp').getByRole('button').count(), 0);
    await form.tell({ goTo: { list: 'servers', id: 's150' } });
    await form.page.waitForFunction(() => document.activeElement?.id === 'mcp-s150-toggle');
  });
});
