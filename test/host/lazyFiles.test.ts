import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LazyFiles } from '../../src/editor/lazyFiles';
import { MessageFile } from '../../src/editor/messageFile';
import { messageScheme } from '../../src/ids';
import { lazily } from '../../src/lazily';

describe('files whose provider is loaded when the first is used', () => {
  const uri = vscode.Uri.from({ scheme: messageScheme, path: '/Message' });

  it('are loaded once, tried again after a failure, and say what changes', async () => {
    let loads = 0;
    const kept = new Map<string, unknown>();
    const load = lazily(() => {
      loads += 1;
      if (loads === 1) return Promise.reject(new Error('not yet'));
      const memento = {
        keys: () => [],
        get: (key: string) => kept.get(key),
        update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
      };
      return Promise.resolve(new MessageFile(memento));
    });
    const files = new LazyFiles(load);
    const changes: string[] = [];
    files.onDidChangeFile((changed) => changes.push(...changed.map((one) => one.uri.path)));
    const failing = await Promise.allSettled([files.stat(uri), files.readFile(uri)]);
    assert.deepEqual(
      failing.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(loads, 1);
    await Promise.all([files.stat(uri), files.readFile(uri)]);
    await files.writeFile(uri, Buffer.from('Mend it'), { create: true, overwrite: true });
    assert.equal(Buffer.from(await files.readFile(uri)).toString(), 'Mend it');
    assert.equal(loads, 2);
    assert.deepEqual(changes, ['/Message']);
  });
});
