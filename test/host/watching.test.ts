import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { configurationSection, extensionId, settingIds } from '../../src/ids';
import { control, hostRun } from '../support/hostRun';

interface Request {
  id: number;
  path: string;
}

const lastRequest = async () => ((await control('requests')) as Request[]).at(-1)?.id ?? 0;
/** Waits for the next request for conversations and returns its ID. */
const nextLook = async (after: number) => {
  const path =
    hostRun().profile === 'documented' ? '/api/v1/app-conversations' : '/api/v1/app-conversations/search';
  return ((await control('wait', { path, after })) as Request).id;
};

describe('watching without visible views', () => {
  const configuration = () => vscode.workspace.getConfiguration(configurationSection);
  const watch = (seconds: number | undefined) =>
    configuration().update(settingIds.watchSeconds, seconds, vscode.ConfigurationTarget.Global);

  before(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.extensions.getExtension<unknown>(extensionId)?.activate();
  });
  after(() => watch(undefined));

  it('keeps requesting the conversations, and nothing else', async () => {
    const before = await lastRequest();
    await watch(1);
    const first = await nextLook(before);
    const second = await nextLook(first);
    const third = await nextLook(second);
    const asked = ((await control('requests')) as Request[]).filter(({ id }) => id > first && id <= third);
    for (const { path } of asked) assert.match(path, /\/app-conversations(\/search)?$/);
  });

  it('notices when the service is available again', async () => {
    await control('fail', { times: 'always', effect: { kind: 'resetBeforeAnswer' } });
    await nextLook(await lastRequest());
    await control('clear', {});
    // Not after the one that failed: another may have followed it before the service was available again.
    const after = await nextLook(await lastRequest());
    const answered = ((await control('requests')) as (Request & { status?: number })[]).find(
      ({ id }) => id === after,
    );
    assert.equal(answered?.status, 200);
  });
});
