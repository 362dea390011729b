import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Texts that are like no other, to be looked for afterwards. A canary stands for a secret, and must be found nowhere; a
 * marker is no secret, and shows that a place was really searched.
 */
export class Canaries {
  private readonly names = new Map<string, string>();

  /** A text that is looked for under `name`. Its first part alone is enough to be found, should the rest be cut off. */
  make(name: string): string {
    const mark = `knr${randomBytes(4).toString('hex')}`;
    this.names.set(mark, name);
    return `${mark}-${name}`;
  }

  /** Finds any of them in a text that a browser holds; for `match`. */
  static readonly pattern = 'knr[0-9a-f]{8}';

  nameOf(mark: string): string {
    return this.names.get(mark) ?? `unknown ${mark}`;
  }

  /** The names of those that are in `content`: as it is, or as UTF-16, base64 or hexadecimal digits. */
  findIn(content: Buffer | string): string[] {
    const buffer = typeof content === 'string' ? Buffer.from(content) : content;
    return [...this.names]
      .filter(([mark]) => writings(mark).some((form) => buffer.includes(form)))
      .map(([, name]) => name);
  }

  /** Every file below `folder` in which something was found, by its path in it, with what that is. */
  async findInFiles(folder: string): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const names = this.findIn(await readFile(file));
      if (names.length > 0) found.set(path.relative(folder, file), names);
    }
    return found;
  }
}

/** What a text may have become on its way into a file. */
function writings(text: string): Buffer[] {
  const plain = Buffer.from(text);
  // Where it stands in the bytes that are encoded decides how; what its neighbours have a part in is cut off.
  const inBase64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), plain]).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + plain.length) * 8) / 6));
  });
  return [
    plain,
    Buffer.from(text, 'utf16le'),
    Buffer.from(plain.toString('hex')),
    ...inBase64.map((encoded) => Buffer.from(encoded)),
  ];
}
