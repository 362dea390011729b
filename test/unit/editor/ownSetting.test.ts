import assert from 'node:assert/strict';
import type { WorkspaceConfiguration } from 'vscode';
import { ownSetting } from '../../../src/editor/ownSetting';

/** A setting as reported by the editor. */
const inspected = (values: Record<string, unknown>) => ({
  inspect: ((name: string) => ({ key: name, ...values })) as WorkspaceConfiguration['inspect'],
});

describe('setting that decides where a key is sent', () => {
  const fromOthers = {
    workspaceValue: 'w',
    workspaceFolderValue: 'f',
    workspaceLanguageValue: 'wl',
    workspaceFolderLanguageValue: 'fl',
  };

  it('uses the user’s value, whatever the workspace or folder has', () => {
    const all = inspected({ ...fromOthers, globalValue: 'g', defaultValue: 'd' });
    assert.equal(ownSetting(all, 'connections'), 'g');
  });

  it('uses the default if the user has no value, whatever the workspace or folder has', () => {
    assert.equal(ownSetting(inspected({ ...fromOthers, defaultValue: 'd' }), 'connections'), 'd');
    assert.equal(ownSetting(inspected(fromOthers), 'connections'), undefined);
    assert.equal(ownSetting({ inspect: () => undefined }, 'connections'), undefined);
  });
});
