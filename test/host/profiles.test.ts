import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createClient } from '../../src/api/service/client';
import { manageProfiles } from '../../src/commands/profile/manage';
import { SessionStore } from '../../src/state/session/session';
import { control, hostRun } from '../support/hostRun';

interface State {
  settings: { llm_model: string | null };
  profiles: Record<string, { model: string | null }>;
}

/** Selects rows by their label, and types into boxes, in this order; then leaves. */
function answering(answers: string[]): { said: string[]; restore: () => void } {
  const { createQuickPick, createInputBox, showWarningMessage, showInformationMessage } = vscode.window;
  const said: string[] = [];
  const input = (accepts: (text: string) => object | undefined) => {
    const onAccept: (() => unknown)[] = [];
    const onHide: (() => unknown)[] = [];
    const hide = () => onHide.forEach((listener) => listener());
    const made = {
      items: [] as { label: string }[],
      value: '',
      onDidAccept: (listener: () => unknown) => onAccept.push(listener),
      onDidHide: (listener: () => unknown) => onHide.push(listener),
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      hide,
      dispose: () => undefined,
      show: () =>
        setImmediate(() => {
          const answer = answers.shift();
          if (answer === undefined) hide();
          else {
            Object.assign(made, accepts(answer));
            onAccept.forEach((listener) => listener());
          }
        }),
    };
    return made;
  };
  const replaced = {
    createQuickPick: () => {
      const pick = input((label) => ({ selectedItems: pick.items.filter((item) => item.label === label) }));
      return pick;
    },
    createInputBox: () => input((value) => ({ value })),
    showWarningMessage: (message: string, _options: object, action: string) => {
      said.push(message);
      return Promise.resolve(action);
    },
    showInformationMessage: (message: string) => {
      said.push(message);
      return Promise.resolve(undefined);
    },
  };
  Object.assign(vscode.window, replaced);
  const restore = () =>
    void Object.assign(vscode.window, {
      createQuickPick,
      createInputBox,
      showWarningMessage,
      showInformationMessage,
    });
  return { said, restore };
}

describe('Manage Model Profiles', () => {
  const state = async () => (await control('state')) as State;
  const profiles = async () => (await state()).profiles;

  /** Runs the command with these answers; returns what was asked or said. */
  async function manage(...answers: string[]): Promise<string[]> {
    const { url: baseUrl, sessionKey } = hostRun();
    const client = createClient({ baseUrl, sessionKey });
    await client.getSettings();
    const connection = { name: 'Team', baseUrl, origin: baseUrl };
    const session = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey }),
      createClient: () => client,
    });
    await session.reload();
    const { said, restore } = answering(answers);
    try {
      await manageProfiles({
        session,
        lock: { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) },
      })();
    } finally {
      restore();
      session.dispose();
    }
    return said;
  }

  if (hostRun().profile === 'current') {
    it('saves, renames, uses, and deletes a profile, and asks before something is lost', async () => {
      await manage('Save Current Model as Profile…', 'work');
      assert.ok('work' in (await profiles()));
      await manage('work', 'Rename…', 'office');
      assert.deepEqual(Object.keys(await profiles()), ['office']);
      const { llm_model } = (await state()).settings;
      await control('state', { settings: { llm_model: 'another/model' } });
      const used = await manage('office', 'Use for New Conversations');
      assert.deepEqual(used, ['Use the model profile “office”?']);
      assert.equal((await state()).settings.llm_model, llm_model);
      const deleted = await manage('office', 'Delete');
      assert.deepEqual(deleted, ['Delete the model profile “office”?']);
      assert.deepEqual(await profiles(), {});
    });
  } else {
    it('says that an older service has none', async () => {
      const [said] = await manage();
      assert.match(said ?? '', /no model profiles\. Services from release 1\.7 on have them\./);
    });
  }
});
