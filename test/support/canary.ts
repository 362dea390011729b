import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Unique texts to search for afterwards. A canary stands for a secret and must not be found anywhere; a marker isn't
 * secret, and shows that a place was really searched.
 */
export class Canaries {
  private readonly names = new Map<string, string>();

  /** Makes a text to search for under `name`. Its first part is enough to find it if the rest is cut off. */
  make(name: string): string {
    const mark = `knr${randomBytes(4).toString('hex')}`;
    this.names.set(mark, name);
    return `${mark}-${name}`;
  }

  /** Pattern for `match` that finds any of them in text from a browser. */
  static readonly pattern = 'knr[0-9a-f]{8}';

  nameOf(mark: string): string {
    return this.names.get(mark) ?? `unknown ${mark}`;
  }

  /** The names of those in `content`: as plain text, UTF-16, base64, or hexadecimal digits. */
  findIn(content: Buffer | string): string[] {
    const buffer = typeof content === 'string' ? Buffer.from(content) : content;
    return [...this.names]
      .filter(([mark]) => writings(mark).some((form) => buffer.includes(form)))
      .map(([, name]) => name);
  }

  /** Every file below `folder` with a match: its relative path, and the names found in it. */
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

/** The forms that a text may take in a file. */
function writings(text: string): Buffer[] {
  const plain = Buffer.from(text);
  // The base64 of a text depends on its offset. Digits that neighboring bytes contribute to are cut off.
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
