import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { manageSecrets } from '../../src/features/secrets/commands/manage';
import { startService, type ReferenceService } from '../service/service';
import { windowOn } from '../support/builders/window';
import { answering } from './answering';

describe('Manage Custom Secrets', () => {
  const { createInputBox, showErrorMessage } = vscode.window;
  let service: ReferenceService;
  let window: Awaited<ReturnType<typeof windowOn>>;
  let errors: string[];
  /** What each box asked for, where it hides what is typed. */
  let hidden: string[];

  beforeEach(async () => {
    service = await startService({ profile: 'current', seed: 'none' });
    window = await windowOn(service);
    [errors, hidden] = [[], []];
    Object.assign(vscode.window, {
      showErrorMessage: (message: string, ...choices: string[]) => {
        errors.push(message);
        return Promise.resolve(choices.find((choice) => choice === 'Try Again'));
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showErrorMessage, createInputBox });
    window.dispose();
    await service.close();
  });

  /** Runs the command with these answers; returns the rows of each list, and what was asked. */
  async function run(...answers: string[]) {
    const answered = answering(answers);
    const { createInputBox: create } = vscode.window;
    Object.assign(vscode.window, {
      createInputBox: () => {
        const box = create();
        const show = box.show.bind(box);
        box.show = () => {
          if (box.password) hidden.push(box.prompt ?? '');
          show();
        };
        return box;
      },
    });
    const lock = { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) };
    const needs = { ...window, lock, refreshSettingsForm: () => Promise.resolve() };
    await manageSecrets(needs)().finally(answered.restore);
    return answered;
  }
  const stored = (name: string) => service.state.secrets.get(name);

  it('adds one with a value from a password box, which no list shows', async () => {
    const { rows } = await run(
      'Add Custom Secret…',
      'NPM_TOKEN',
      'For the registry',
      'secret-value',
      'Add Custom Secret…',
    );
    assert.deepEqual(stored('NPM_TOKEN'), { value: 'secret-value', description: 'For the registry' });
    assert.equal(hidden.length, 1);
    assert.match(hidden[0] ?? '', /^Value of the secret/);
    assert.deepEqual(rows.at(-1), ['NPM_TOKEN: For the registry', 'Add Custom Secret…:']);
    assert.ok(!JSON.stringify(rows).includes('secret-value'));
  });

  it('keeps the lines of a value that was pasted, which its box makes spaces of', async () => {
    const copied = await vscode.env.clipboard.readText();
    try {
      for (const [text, typed, kept] of [
        ['-----BEGIN-----\r\nab\ncd\n', '-----BEGIN----- ab cd', '-----BEGIN-----\nab\ncd\n'],
        ['ab\ncd', 'ab cd and more', 'ab cd and more'],
        ['two words\n', 'two words', 'two words'],
      ] as const) {
        service.state.secrets.clear();
        await vscode.env.clipboard.writeText(text);
        await run('Add Custom Secret…', 'DEPLOY_KEY', '', typed);
        assert.equal(stored('DEPLOY_KEY')?.value, kept);
      }
    } finally {
      await vscode.env.clipboard.writeText(copied);
    }
  });

  it('changes a description, replaces a value, and deletes one after asking', async () => {
    service.state.secrets.set('NPM_TOKEN', { value: 'first-value', description: 'For the registry' });
    await run('NPM_TOKEN', 'Change Description…', 'For npm');
    assert.deepEqual(stored('NPM_TOKEN'), { value: 'first-value', description: 'For npm' });
    await run('NPM_TOKEN', 'Replace Value…', 'other-value');
    assert.deepEqual(stored('NPM_TOKEN'), { value: 'other-value', description: 'For npm' });
    const { said } = await run('NPM_TOKEN', 'Delete');
    assert.deepEqual(said, ['Delete “NPM_TOKEN”?']);
    assert.equal(service.state.secrets.size, 0);
    assert.deepEqual(errors, []);
  });

  it('keeps the typed value if an older service deletes the old one and refuses the new one', async () => {
    const { secrets } = service.state;
    service.behaviour.release = '1.8';
    secrets.set('DEPLOY_KEY', { value: 'old-value', description: 'For deployments' });
    service.fail({
      method: 'POST',
      path: '/api/v1/secrets',
      when: () => !secrets.has('DEPLOY_KEY'),
      effect: { kind: 'answer', status: 503 },
    });
    await run('DEPLOY_KEY', 'Replace Value…', 'typed-once');
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /^The old value of “DEPLOY_KEY” was deleted/);
    assert.deepEqual(stored('DEPLOY_KEY'), { value: 'typed-once', description: 'For deployments' });
  });
});
