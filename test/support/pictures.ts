import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { commandIds } from '../../src/ids';
import { startAgentServer, type AgentServerByItself } from '../service/agent/byItself';
import { startService, type ReferenceService } from '../service/service';
import { connectGrouped } from '../ui/support/connect';
import { MessageEditor } from '../ui/support/messageEditor';
import { launchChromium } from './chromium';
import { installExtension, startCodeServer } from './editor/codeServer';
import { installCodeServer } from './editor/install';
import { runMain, tempFolder } from './lifetime';
import { projectFolder } from './paths';
import { sandboxLabel } from './sandboxLabel';
import { packageExtension } from './vsix';
import { Workbench, type Theme } from './workbench';
import { createWorkspaceFolder } from './workspaceFolder';

const media = path.join(projectFolder, 'media');
/** Title of a conversation whose agent waits for approval. */
const waiting = 'Move order history to the new pagination API';
/** Pictures for the README, which stay out of the package. */
const readme = path.join(media, 'readme');

/** The pictures to make, by the names of their files; all if none is named. */
const wanted = process.argv.slice(2);
const makes = (name: string) => wanted.length === 0 || wanted.includes(name);

/** Makes the published pictures: the icon, and the packaged extension at work in a real workbench. */
async function main(): Promise<number> {
  mkdirSync(readme, { recursive: true });
  if (makes('icon')) await drawIcon();

  const browser = await launchChromium();
  const codeServer = await installCodeServer();
  const folder = await tempFolder();
  const vsix = path.join(folder.path, 'extension.vsix');
  await packageExtension(vsix);
  const extensionsFolder = await installExtension(codeServer, vsix);
  const service = await startService({ profile: 'observed', seed: 'lifelike', agents: '1.58.0' });
  const server = await startAgentServer({ release: '1.58.0', seed: true });
  const editor = await startCodeServer(codeServer, { extensionsFolder });
  const workbench = await Workbench.open(browser, editor, (await createWorkspaceFolder()).path);
  await workbench.openAsItIs();
  await connectGrouped({ workbench, service });
  await workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
  await workbench.notifications.clear();

  if (makes('tour')) await film(workbench, service);
  for (const theme of ['light', 'dark'] as const) if (makes(theme)) await photograph(workbench, theme);
  if (makes('conversation')) await photographConversation(workbench);
  if (makes('canvas')) await photographAgentServer(workbench, server);
  await editor.stop();
  await service.close();
  await server.close();
  await browser.close();
  return 0;
}

/** Marketplaces want a bitmap, which is smaller without dithering. */
async function drawIcon(): Promise<void> {
  const drawing = sharp(path.join(media, 'icon.svg')).resize(256, 256);
  await drawing
    .png({ palette: true, quality: 90, dither: 0, effort: 10 })
    .toFile(path.join(media, 'icon.png'));
}

/** Lists and form, side by side. */
async function photograph(workbench: Workbench, theme: Theme): Promise<void> {
  await workbench.setTheme(theme);
  await workbench.resize(1280, 800);
  await workbench.runCommand(commandIds.settingsOpen);
  await workbench.webview().locator('[data-section="model"]').waitFor();
  await store(workbench, theme);
}

/** A conversation whose agent waits for approval. */
async function photographConversation(workbench: Workbench): Promise<void> {
  await workbench.closeAllEditors();
  await workbench.notifications.clear();
  await workbench.view('Conversations').clickRow(waiting);
  const page = workbench.webview();
  await page.locator('[data-event][data-kind="step"]').last().waitFor();
  await page.locator('[data-pending]').waitFor();
  await page.locator('button:not([aria-disabled="true"])', { hasText: 'Approve' }).waitFor();
  await store(workbench, 'conversation');
}

/** What a conversation in the open folder begins with on an agent server. */
async function photographAgentServer(workbench: Workbench, server: AgentServerByItself): Promise<void> {
  const { quickInput, notifications } = workbench;
  await workbench.closeAllEditors();
  await workbench.setTheme('light');
  await connectGrouped({ workbench, service: server }, { name: 'Canvas' });
  await workbench.view('Workspaces').row('project').waitFor();
  await notifications.waitFor('Connected to Canvas');
  await notifications.clear();
  const message = new MessageEditor(workbench);
  await message.open();
  await message.type('Greet people by their first name, and add a test');
  await message.send();
  await quickInput.row('Worktree').waitFor();
  await store(workbench, 'canvas');
}

async function store({ page }: Workbench, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await sharp(picture)
    .webp({ quality: 80, effort: 6 })
    .toFile(path.join(readme, `${name}.webp`));
}

/** A short animation: a conversation from its first word to its tab, then the settings of MCP servers. */
async function film(workbench: Workbench, service: ReferenceService): Promise<void> {
  const { quickInput, page } = workbench;
  const frames: Buffer[] = [];
  const delays: number[] = [];
  const take = async (ms: number) => {
    frames.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    delays.push(ms);
  };
  const running = [...service.state.sandboxes.values()].find(({ status }) => status === 'RUNNING');
  assert.ok(running);
  await workbench.setTheme('dark');
  await workbench.resize(960, 620);
  await take(1500);

  const message = new MessageEditor(workbench);
  await message.open();
  await message.waitForHint('What should the agent do?');
  await page.locator('.codelens-decoration').getByText('feature/greeting').waitFor();
  await take(700);
  for (const text of ['Greet people', ' by their first name', ', and add a test']) {
    await message.type(text);
    await take(text.endsWith('test') ? 1200 : 350);
  }
  await message.send();
  await take(1600);
  await quickInput.pick('Sandbox');
  await quickInput.waitFor('Select a sandbox');
  await quickInput.row(sandboxLabel(service, running.id)).first().hover();
  await take(1400);
  await quickInput.pick(sandboxLabel(service, running.id));
  await quickInput.waitFor('Press Enter to start');
  await take(1400);
  await quickInput.accept();
  const question = workbench.dialog().getByRole('button', { name: 'Start on Default Branch' });
  await question.waitFor();
  await take(1800);
  await question.click();
  const tab = workbench.webview();
  await tab.locator('[data-from="user"]').first().waitFor();
  await take(1600);
  await tab.locator('[data-conversation]:not([data-conversation^="start:"])').waitFor();
  await take(2200);
  await workbench.closeAllEditors();
  await workbench.notifications.clear();

  await workbench.runCommand(commandIds.settingsManageMcpServers);
  const form = workbench.webview();
  await form.locator('[data-mcp]').first().waitFor();
  await page.mouse.move(0, 0);
  await take(1800);
  await form.locator('[data-mcp]').first().getByRole('button').first().click();
  await take(2600);
  await workbench.closeAllEditors();

  const file = path.join(readme, 'tour.webp');
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 70, effort: 6, delay: delays, loop: 0, minSize: true, mixed: true })
    .toFile(file);
  console.log(`tour.webp: ${frames.length} pictures, ${Math.round(statSync(file).size / 1000)} kB`);
}

runMain(main);
