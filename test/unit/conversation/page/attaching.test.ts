import assert from 'node:assert/strict';
import type { ConversationApp } from '../../../../src/features/conversation/page/app';
import { takePasted } from '../../../../src/features/conversation/page/attaching';

/** Reads a file at once, as its name. */
class Reader {
  result: string | undefined;
  onload: () => void = () => undefined;
  readAsDataURL({ name }: File): void {
    this.result = `data:${name}`;
    this.onload();
  }
}

describe('what is pasted into the composer', () => {
  before(() => Object.assign(globalThis, { FileReader: Reader }));
  after(() => Reflect.deleteProperty(globalThis, 'FileReader'));

  /** What becomes of a clipboard with files of these types. */
  function paste(types: readonly string[], text = '') {
    const [said, attached] = [[] as string[], [] as unknown[]];
    let isTaken = false;
    const app = {
      say: (words: string) => said.push(words),
      post: (message: { uri: string }) => attached.push(message.uri),
    } as unknown as ConversationApp;
    const files = types.map((type) => new File(['x'], type, { type }));
    const event = {
      clipboardData: { files, getData: () => text },
      preventDefault: () => (isTaken = true),
    } as unknown as ClipboardEvent;
    takePasted(app, event);
    return { said, attached, isTaken };
  }
  const only = 'Only PNG, JPEG, GIF, and WebP pictures can be attached this way.';

  it('is attached if it’s a picture that models take', () => {
    assert.deepEqual(paste(['image/png', 'image/webp']), {
      said: [],
      attached: ['data:image/png', 'data:image/webp'],
      isTaken: true,
    });
  });

  for (const type of ['image/bmp', 'image/tiff', 'image/svg+xml', 'application/pdf', ''])
    it(`says what is taken instead of a file of another type (${type || 'unknown'})`, () => {
      assert.deepEqual(paste([type]), { said: [only], attached: [], isTaken: true });
      const attached = ['data:image/gif'];
      assert.deepEqual(paste([type, type, 'image/gif']), { said: [only], attached, isTaken: true });
    });

  it('stays text, also with a picture of it', () => {
    for (const types of [[], ['image/png'], ['image/bmp']])
      assert.deepEqual(paste(types, 'Text'), { said: [], attached: [], isTaken: false });
    assert.equal(paste([]).isTaken, false);
  });
});
