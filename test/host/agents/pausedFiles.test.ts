import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/http/errors';
import { placeFolders } from '../../../src/compose/sandboxFolders';
import { Refusal } from '../../../src/core/basics/refusal';
import type { ConversationModels } from '../../../src/features/live';
import { TestSandbox, until } from '../../unit/changes/support';

const scheme = 'agent-workspace-files-paused';
const baseUrl = 'https://one.example.com';
const conversation = '0'.repeat(32);

describe('files of a sandbox that is paused while they’re open', () => {
  const { showInformationMessage, showWarningMessage, showErrorMessage } = vscode.window;
  let sandbox: TestSandbox;
  let isPaused: boolean;
  /** What the user answers to a message. */
  let answer: string | undefined;
  let said: string[];
  /** What resuming fails with. */
  let failure: Error | undefined;
  let registered: { dispose: () => unknown }[];
  let changed: (() => void)[];
  /** Whether the sandbox takes requests without answering any. */
  let hangs: boolean;
  /** How many it took so. */
  let asked: number;

  beforeEach(() => {
    sandbox = new TestSandbox();
    [isPaused, hangs, asked, answer, failure] = [false, false, 0, undefined, undefined];
    [said, registered, changed] = [[], [], []];
    const say = (words: string) => Promise.resolve(void said.push(words));
    Object.assign(vscode.window, {
      showInformationMessage: async (words: string) => {
        await say(words);
        return answer;
      },
      showWarningMessage: say,
      showErrorMessage: say,
    });
    const own = <T extends { dispose: () => unknown }>(one: T) => (registered.push(one), one);
    const { sandboxFolders } = placeFolders(own, conversations, () => [
      { name: 'Team', baseUrl, origin: baseUrl },
    ]);
    own(vscode.workspace.registerFileSystemProvider(scheme, sandboxFolders, { isCaseSensitive: true }));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const one of registered) void one.dispose();
    Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showErrorMessage });
    sandbox.dispose();
  });

  const model = {
    id: conversation,
    entries: [],
    get head() {
      return { title: 'Mend the checkout', limit: isPaused ? 'asleep' : 'none' };
    },
    changes: {
      place: (whileWaking?: () => void) => {
        if (isPaused && !whileWaking) return Promise.reject(new Refusal('The sandbox is paused.'));
        if (isPaused && failure) return Promise.reject(failure);
        if (isPaused) whileWaking?.();
        isPaused = false;
        const { workspace } = sandbox;
        const execute: typeof workspace.execute = (call) => {
          if (!hangs) return workspace.execute(call);
          asked += 1;
          return new Promise(() => undefined);
        };
        return Promise.resolve({ workspace: { ...workspace, execute }, workingDir: sandbox.at('work') });
      },
    },
    keepCurrent: () => ({ dispose: () => undefined }),
    onDidChange: (listener: () => void) => {
      changed.push(listener);
      return { dispose: () => undefined };
    },
  };
  const conversations = {
    model: () => model,
    hold: () => ({ reached: Promise.resolve(), dispose: () => undefined }),
  } as unknown as ConversationModels;

  const uri = () =>
    vscode.Uri.from({ scheme, authority: `team+${conversation}`, path: sandbox.at('work', 'a.txt') });
  const { fs } = vscode.workspace;
  const text = async () => Buffer.from(await fs.readFile(uri())).toString();
  const isReadonly = async () => (await fs.stat(uri())).permissions === vscode.FilePermission.Readonly;

  /** Opens a file, pauses the sandbox, and reads again. */
  async function pauseWhileOpen(): Promise<vscode.TextDocument> {
    sandbox.write('work/a.txt', 'one');
    const document = await vscode.workspace.openTextDocument(uri());
    await vscode.window.showTextDocument(document);
    assert.equal(await isReadonly(), false);
    isPaused = true;
    assert.equal(await text(), 'one');
    return document;
  }

  it('are shown as they were last read, and offer to resume it, which shows what is there', async () => {
    answer = 'Resume';
    const document = await pauseWhileOpen();
    assert.deepEqual(said, [
      'The sandbox is paused. Its files are shown as they were last read, and can’t be changed.',
    ]);
    assert.equal(document.getText(), 'one');
    await until(() => !isPaused);
    writeFileSync(sandbox.at('work/a.txt'), 'two, and more');
    assert.equal(await text(), 'two, and more');
    assert.equal(await isReadonly(), false);
    assert.equal(said.length, 1);
  });

  it('don’t wait for an answer that never comes, once it’s known to be paused', async () => {
    sandbox.write('work/src/b.txt', 'one');
    const folder = uri().with({ path: sandbox.at('work/src') });
    await fs.readFile(uri().with({ path: sandbox.at('work/src/b.txt') }));
    hangs = true;
    const names = fs.readDirectory(uri().with({ path: sandbox.at('work') }));
    const never = assert.rejects(async () => names, /paused/);
    isPaused = true;
    for (const tell of changed) tell();
    await never;
    assert.equal(said.length, 1);
    hangs = isPaused = false;
    assert.deepEqual(await fs.readDirectory(folder), [['b.txt', vscode.FileType.File]]);
  });

  const changes: [string, () => Thenable<void>][] = [
    ['a save', () => fs.writeFile(uri(), Buffer.from('mine'))],
    ['a new name', () => fs.rename(uri(), uri().with({ path: sandbox.at('work/b.txt') }))],
    ['a deletion', () => fs.delete(uri())],
    ['a new folder', () => fs.createDirectory(uri().with({ path: sandbox.at('work/new') }))],
  ];
  for (const [what, change] of changes)
    it(`don’t wait for the end of ${what}, once it’s known to be paused`, async () => {
      sandbox.write('work/a.txt', 'one');
      await text();
      hangs = true;
      const ended = assert.rejects(async () => change(), /paused/);
      // Once the request is on its way.
      await until(() => asked > 0);
      isPaused = true;
      for (const tell of changed) tell();
      await ended;
      hangs = isPaused = false;
      assert.equal(await text(), 'one');
      await change();
    });

  it('stay as they are, and are asked about once, unless the user resumes it', async () => {
    await pauseWhileOpen();
    assert.equal(await text(), 'one');
    assert.equal(await isReadonly(), true);
    await assert.rejects(async () => fs.writeFile(uri(), Buffer.from('mine')), /paused/);
    assert.equal(said.length, 1);
    // Somebody else does.
    isPaused = false;
    writeFileSync(sandbox.at('work/a.txt'), 'two, and more');
    assert.equal(await text(), 'two, and more');
    assert.equal(await isReadonly(), false);
  });

  for (const [error, words] of [
    [new Refusal('The sandbox can’t be resumed.'), /^The sandbox can’t be resumed\.$/],
    [
      new ApiError('rateLimited', 'POST', '/api/v1/sandboxes/1/resume', { status: 429 }),
      /^Couldn’t resume Mend the checkout\./,
    ],
  ] as const)
    it(`say why it can’t be resumed (${error.name})`, async () => {
      [answer, failure] = ['Resume', error];
      await pauseWhileOpen();
      await until(() => said.length === 2);
      assert.match(said[1] ?? '', words);
      assert.equal(await text(), 'one');
      assert.equal(await isReadonly(), true);
    });
});
