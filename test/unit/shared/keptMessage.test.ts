import assert from 'node:assert/strict';
import { parseMessage, storedMessage, type KeptMessage } from '../../../src/shared/keptMessage';

const code = { text: 'In a.ts', label: 'a.ts', language: 'ts' };
const test = { text: 'In b.ts', label: 'b.ts' };
const picture = { label: 'screen.png', picture: 'data:' };
const file = { text: { path: 'c.ts' }, label: 'c.ts' };
const range = { text: 'In d.ts', label: { path: 'd.ts', line: 3 } };

const message: KeptMessage = { text: 'Fix it', savedAt: 5, context: {}, selections: [test] };
const selectionsIn = (stored: unknown) => storedMessage(message, stored)['selections'];

describe('the code that goes along with a kept message', () => {
  it('is what has a text and a name', () => {
    const { selections } = parseMessage({ selections: [code, picture, file, range, test, null, 'x', []] });
    assert.deepEqual(selections, [code, test]);
    for (const odd of [undefined, null, 'x', 7, { 0: code }])
      assert.deepEqual(parseMessage({ selections: odd }).selections, []);
  });

  it('is replaced when the message is stored, but what only a later version reads stays', () => {
    const stored = { selections: [code, picture, test, file, range] };
    assert.deepEqual(selectionsIn(stored), [test, picture, file, range]);
    const again = storedMessage(message, storedMessage(message, stored));
    assert.deepEqual(again['selections'], [test, picture, file, range]);
    assert.deepEqual(storedMessage({ ...message, selections: [] }, stored)['selections'], [
      picture,
      file,
      range,
    ]);
  });

  it('leaves behind what no version can have meant', () => {
    for (const odd of [undefined, null, 'x', 7, { 0: picture }, [], [null, 'x', 7, {}, [], ['a']]])
      assert.deepEqual(selectionsIn({ selections: odd }), [test], JSON.stringify(odd));
    for (const odd of [undefined, null, 'x', 7, [picture]]) assert.deepEqual(selectionsIn(odd), [test]);
  });
});

describe('where a kept message was started', () => {
  const places = { sandboxId: 's', folder: '/w', about: 'file:///a', changes: 'file:///w' };
  const context = { ...places, selected: ['a'], choice: { model: 'm' } };

  it('is read member by member', () => {
    assert.deepEqual(parseMessage({ context }).context, context);
    for (const [name, odd] of Object.entries({
      ...{ sandboxId: 7, folder: null, about: ['a'], changes: {} },
      ...{ selected: 'a', choice: 'm' },
    })) {
      const { [name]: _, ...rest } = context as Record<string, unknown>;
      assert.deepEqual(parseMessage({ context: { ...context, [name]: odd } }).context, rest, name);
    }
    assert.deepEqual(parseMessage({ context: { choice: null } }).context, {});
  });

  it('is replaced as a whole, apart from what a later version added', () => {
    const stored = { context: { ...context, branch: { of: 'a later version' } } };
    assert.deepEqual(storedMessage({ ...message, context: { about: 'file:///b' } }, stored)['context'], {
      about: 'file:///b',
      branch: { of: 'a later version' },
    });
  });
});
