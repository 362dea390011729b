import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DraftNeeds } from '../../src/features/start/commands/message/draft';
import { insertMessage } from '../../src/features/start/commands/message/insertMessage';
import { manageTemplates, saveTemplate } from '../../src/features/start/commands/message/templates';
import { messageScheme } from '../../src/ids';
import { MessageEditor } from '../../src/editor/messageEditor';
import { MessageFile } from '../../src/editor/messageFile';
import { FirstMessages } from '../../src/features/start/model/firstMessages';
import { Templates } from '../../src/features/start/model/templates';
import { answering } from './answering';

describe('earlier messages and templates', () => {
  let now = Date.now();
  const stored = () => {
    let value: unknown;
    return { read: () => value, write: (next: unknown) => (value = next) };
  };
  const mask = (text: string) => text.replaceAll('hunter22', '••••••••');

  function setUp(draft: { text: string; repository?: string }) {
    const inserted: string[] = [];
    const insert = (text: string) => void inserted.push(text);
    const needs = {
      activeTab: () => ({ id: 'c-1', service: 'https://one.example.com' }),
      composerOf: () => Promise.resolve({ repository: '', ...draft, insert }),
      firstMessages: new FirstMessages(stored(), mask, () => (now += 1)),
      templates: new Templates(stored(), mask),
    } as unknown as DraftNeeds & { firstMessages: FirstMessages; templates: Templates };
    return { needs, inserted };
  }

  it('offers those of the repository first, and finds one by its other lines', async () => {
    const { needs, inserted } = setUp({ text: '', repository: 'Acme/shop' });
    needs.firstMessages.keep('Fix the cart\nIt loses its last line.', 'acme/shop');
    needs.firstMessages.keep('Draw a map', 'acme/atlas');
    needs.firstMessages.keep('Fix the till', 'acme/shop');
    needs.templates.save({ name: 'Tests', text: 'Write tests for' });
    const { rows, restore } = answering(['Fix the cart']);
    await insertMessage(needs)().finally(restore);
    const agesAside = rows.map((list) =>
      list.map((row) => row.replace(/(?<=· )(?:just now|\d+ min ago)/, '…')),
    );
    assert.deepEqual(agesAside, [
      [
        'Earlier Messages:',
        'Fix the till: acme/shop · …',
        'Fix the cart: acme/shop · … It loses its last line.',
        'Templates:',
        'Tests:  Write tests for',
        'Other Repositories:',
        'Draw a map: acme/atlas · …',
        ':',
        'Delete Earlier Messages…:',
      ],
    ]);
    assert.deepEqual(inserted, ['Fix the cart\nIt loses its last line.']);
  });

  it('says when there are none', async () => {
    const { needs } = setUp({ text: '' });
    const { said, restore } = answering([]);
    await Promise.all([insertMessage(needs)(), manageTemplates(needs)(), saveTemplate(needs)()]).finally(
      restore,
    );
    assert.deepEqual(said.toSorted(), [
      'No earlier messages or templates yet. Messages that you start conversations with appear here.',
      'No templates yet. Write a message, and run Save as Template.',
      'There is no message to save. Write one first.',
    ]);
  });

  it('saves what is being written without its secrets, and says so', async () => {
    const { needs } = setUp({ text: 'Log in as hunter22' });
    const { said, restore } = answering(['Log in']);
    await saveTemplate(needs)().finally(restore);
    assert.deepEqual(needs.templates.all, [{ name: 'Log in', text: 'Log in as ••••••••' }]);
    assert.deepEqual(said, ['Template “Log in” was saved on this computer, without the secrets in it.']);
  });

  it('suggests and takes names as they can be shown', async () => {
    for (const [text, typed, name] of [
      // The 80th unit is half of a character.
      [`a${'🎉'.repeat(90)}`, undefined, `a${'🎉'.repeat(78)}…`],
      ['$(rocket) Fix', 'Fix  both\u00ad', 'Fix both'],
    ] as const) {
      const { needs } = setUp({ text });
      const { restore } = answering([(before) => typed ?? before]);
      await saveTemplate(needs)().finally(restore);
      assert.deepEqual(needs.templates.all, [{ name, text }]);
    }
  });

  it('inserts, renames, and deletes a template', async () => {
    const { needs, inserted } = setUp({ text: '' });
    needs.templates.save({ name: 'Tests', text: 'Write tests for' });
    needs.templates.save({ name: 'Zoo', text: 'Feed the animals' });
    const { restore } = answering([
      ...['Tests', 'Rename…', ' More tests '],
      ...['Zoo', 'Delete'],
      ...['More tests', 'Insert into Message'],
    ]);
    await manageTemplates(needs)().finally(restore);
    assert.deepEqual(needs.templates.all, [{ name: 'More tests', text: 'Write tests for' }]);
    assert.deepEqual(inserted, ['Write tests for']);
  });

  it('makes each version of a new conversation’s message later than the one before, whatever the clock shows', async () => {
    const { now } = Date;
    const kept = new Map<string, unknown>();
    const file = new MessageFile({
      keys: () => [],
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    });
    const uri = vscode.Uri.from({ scheme: messageScheme, path: '/Message' });
    await file.writeFile(uri, Buffer.from('one'));
    const before = file.stat(uri).mtime;
    Date.now = () => before - 60_000;
    await file.writeFile(uri, Buffer.from('two')).finally(() => (Date.now = now));
    assert.equal(file.stat(uri).mtime, before + 1);
  });

  it('puts text in the editor of a new conversation’s message where the cursor is, as a paragraph', async () => {
    const nothing = { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
    const editor = new MessageEditor(new MessageFile(nothing));
    await editor.begin({});
    const shown = vscode.window.activeTextEditor;
    assert.equal(shown?.document.uri.scheme, messageScheme);
    await shown.edit((edit) => edit.delete(new vscode.Range(0, 0, shown.document.lineCount, 0)));
    await editor.insertText('one\nthree');
    shown.selection = new vscode.Selection(0, 3, 0, 3);
    await editor.insertText('two');
    assert.equal(editor.text, 'one\n\ntwo\nthree');
    assert.deepEqual(shown.selection.active, new vscode.Position(2, 3));
    // Neither what is before it nor what is behind it becomes part of it.
    shown.selection = new vscode.Selection(3, 2, 3, 4);
    await editor.insertText('and');
    assert.equal(editor.text, 'one\n\ntwo\nth\n\nand\n\ne');
    assert.deepEqual(shown.selection.active, new vscode.Position(5, 3));
    // A message isn’t code: no line numbers, no minimap, and no suggestions but those for context.
    assert.equal(shown.options.lineNumbers, vscode.TextEditorLineNumbersStyle.Off);
    const { minimap, wordWrap } = vscode.workspace
      .getConfiguration('', shown.document)
      .get<{ minimap: { enabled: boolean }; wordWrap: string }>('editor', {
        minimap: { enabled: true },
        wordWrap: '',
      });
    assert.deepEqual([minimap.enabled, wordWrap], [false, 'on']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    editor.dispose();
  });
});
