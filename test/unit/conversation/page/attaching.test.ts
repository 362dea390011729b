import assert from 'node:assert/strict';
import { longestName } from '../../../../src/shared/bounded';
import { longestPicture, mostFiles } from '../../../../src/shared/conversationMessages';
import type { ConversationApp } from '../../../../src/features/conversation/page/app';
import { attachFiles, droppedFiles, takePasted } from '../../../../src/features/conversation/page/attaching';

/** Reads a file at once, as its name; not at all without a prefix. */
class Reader {
  static prefix: string | undefined = 'data:';
  result: string | null = null;
  onload: () => void = () => undefined;
  readAsDataURL({ name }: File): void {
    this.result = Reader.prefix === undefined ? null : Reader.prefix + name;
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
      post: (message: { type: string; uri: string }) =>
        attached.push(message.type === 'attachPicture' ? message.uri : message),
    } as unknown as ConversationApp;
    const files = types.map((type) => new File(['x'], type, { type }));
    const event = {
      clipboardData: { files, getData: (type: string) => (type === 'text/plain' ? text : 'x') },
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

  it('is a picture by its whole type only', () => {
    for (const type of ['ximage/png', 'image/png+x'])
      assert.deepEqual(paste([type]), { said: [only], attached: [], isTaken: true });
  });

  it('is no larger than the extension takes', () => {
    const sized = (length: number) => {
      Reader.prefix = 'x'.repeat(length - 'image/png'.length);
      try {
        const { said, attached } = paste(['image/png']);
        return [said.length, attached.length];
      } finally {
        Reader.prefix = 'data:';
      }
    };
    assert.deepEqual(
      [sized(longestPicture), sized(longestPicture + 1)],
      [
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('is nothing if it can’t be read', () => {
    Reader.prefix = undefined;
    try {
      assert.deepEqual(paste(['image/png']), { said: [], attached: [], isTaken: true });
    } finally {
      Reader.prefix = 'data:';
    }
  });

  it('stays text, also with a picture of it', () => {
    for (const types of [[], ['image/png'], ['image/bmp']])
      assert.deepEqual(paste(types, 'Text'), { said: [], attached: [], isTaken: false });
    assert.equal(paste([]).isTaken, false);
  });
});

describe('files that are dropped on a conversation', () => {
  const dropped = (lists: Record<string, string>) =>
    droppedFiles({ getData: (type: string) => lists[type] ?? '' } as unknown as DataTransfer);

  it('are those of the editor’s own list, or else of the usual one', () => {
    const own = 'application/vnd.code.uri-list';
    assert.deepEqual(dropped({ [own]: 'file:///a', 'text/uri-list': 'file:///b' }), ['file:///a']);
    assert.deepEqual(dropped({ 'text/uri-list': '# two\r\nfile:///b\n\nfile:///c' }), [
      'file:///b',
      'file:///c',
    ]);
    assert.deepEqual([dropped({}), droppedFiles(null)], [[], []]);
  });

  it('are no addresses of pages, and no data', () => {
    const [http, https, file] = ['http://a.example', 'HTTPS://a.example', 'vscode-remote://wsl/http:/a'];
    const list = [http, https, 'data:text/plain,x', 'javascript:x', file].join('\n');
    assert.deepEqual(dropped({ 'text/uri-list': list }), [file]);
  });

  it('are attached as far as the extension takes them, and the user is told of others', () => {
    const attach = (uris: string[]) => {
      const [said, posted] = [[] as string[], [] as { uris?: string[] }[]];
      const app = { say: (words: string) => said.push(words), post: (one: object) => posted.push(one) };
      attachFiles(app as unknown as ConversationApp, uris);
      return [posted[0]?.uris?.length, said.length];
    };
    const long = (length: number) => 'file:///'.padEnd(length, 'x');
    assert.deepEqual(attach([long(longestName)]), [1, 0]);
    assert.deepEqual(attach([long(longestName + 1), 'file:///a']), [1, 1]);
    assert.deepEqual(attach(Array.from({ length: mostFiles }, () => 'file:///a')), [mostFiles, 0]);
    assert.deepEqual(attach(Array.from({ length: mostFiles + 1 }, () => 'file:///a')), [mostFiles, 1]);
  });
});
