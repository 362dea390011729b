import assert from 'node:assert/strict';
import { Module } from 'node:module';
import { buildSync } from 'esbuild';
import path from 'node:path';
import type { ReadOnlyDocuments } from '../../../src/editor/readOnlyDocuments';
import { projectFolder } from '../../support/paths';

type Shown = [address: string, text: string];

/** The documents of the extension in an editor that only keeps what it shows. */
function open(): { documents: ReadOnlyDocuments; shown: Shown[] } {
  const shown: Shown[] = [];
  const show = (address: string) => {
    shown.push([address, documents.provideTextDocumentContent(address as never)]);
    return Promise.resolve(address);
  };
  const api = {
    Uri: { from: ({ path: address }: { path: string }) => address },
    ViewColumn: { Active: -1 },
    workspace: {
      registerTextDocumentContentProvider: () => ({}),
      onDidCloseTextDocument: () => ({}),
      openTextDocument: show,
    },
    window: { showTextDocument: () => Promise.resolve() },
    commands: {
      executeCommand: async (_: string, left: string, right: string) => {
        await show(left);
        await show(right);
      },
    },
  };
  const { outputFiles } = buildSync({
    entryPoints: [path.join(projectFolder, 'src/editor/readOnlyDocuments.ts')],
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs', external: ['vscode'] },
  });
  const loaded = new Module('documents') as Module & { _compile: (code: string, name: string) => void };
  loaded.require = (() => api) as never;
  loaded._compile(outputFiles[0]!.text, 'documents.js');
  const { ReadOnlyDocuments: Made } = loaded.exports as { ReadOnlyDocuments: typeof ReadOnlyDocuments };
  const documents = new Made();
  return { documents, shown };
}

describe('read-only documents', () => {
  it('have texts of their own, though they have the same name', async () => {
    const { documents, shown } = open();
    await documents.show('Fix the slugs', 'one', 'md');
    await documents.show('Fix the slugs', 'two', 'md');
    await documents.showDiff('a.ts', 'src/a.ts', { before: 'three', after: 'four' });
    await documents.showDiff('a.ts', 'src/a.ts', { before: 'five', after: 'six' });
    assert.deepEqual(
      shown.map(([, text]) => text),
      ['one', 'two', 'three', 'four', 'five', 'six'],
    );
    assert.equal(new Set(shown.map(([address]) => address)).size, shown.length);
  });

  it('have names in one line, without what can’t be in a name or hides', async () => {
    const { documents, shown } = open();
    for (const title of ['a\u202eb', 'a\nb', '\x1b[31ma', '../../a', 'C:\\a', 'x'.repeat(1_000_000), '']) {
      await documents.show(title, '', 'txt');
      await documents.showDiff('Diff', title, { before: '', after: '' });
    }
    for (const [address] of shown) {
      assert.doesNotMatch(address, /[\p{C}\n\\:]|\/\.{0,2}\//u);
      assert.ok(address.length < 150);
    }
  });
});
