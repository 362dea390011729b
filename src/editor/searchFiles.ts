import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How much is kept. */
const most = { conversations: 1_000, bytes: 50_000_000 };

const nameOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Texts of conversations for the next search: a file for each conversation, in a folder for each service. Never rejects. */
export class SearchFiles {
  constructor(
    private readonly folder: string,
    private readonly bounds = most,
  ) {}

  async read(service: string, id: string): Promise<unknown> {
    return readFile(this.fileOf(service, id), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
  }

  async write(service: string, id: string, value: object): Promise<void> {
    const file = this.fileOf(service, id);
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
      .then(() => writeFile(file, JSON.stringify(value), { mode: 0o600 }))
      .catch(() => undefined);
  }

  async remove(service: string, id: string): Promise<void> {
    await remove(this.fileOf(service, id));
  }

  /** Forgets what was written first beyond the bounds. */
  async tidy(): Promise<void> {
    const files = (
      await Promise.all((await namesIn(this.folder)).map((name) => filesIn(join(this.folder, name))))
    ).flat();
    let [count, bytes] = [0, 0];
    for (const { file, size } of files.sort((a, b) => b.writtenAt - a.writtenAt)) {
      [count, bytes] = [count + 1, bytes + size];
      if (count > this.bounds.conversations || bytes > this.bounds.bytes) await remove(file);
    }
  }

  /** Forgets all services but these. */
  async keepOnly(services: readonly string[]): Promise<void> {
    const kept = new Set(services.map(nameOf));
    for (const name of await namesIn(this.folder)) if (!kept.has(name)) await remove(join(this.folder, name));
  }

  private fileOf(service: string, id: string): string {
    return join(this.folder, nameOf(service), `${nameOf(id)}.json`);
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined);

const namesIn = (folder: string) => readdir(folder).catch(() => []);

async function filesIn(folder: string): Promise<{ file: string; size: number; writtenAt: number }[]> {
  const found = (await namesIn(folder)).map(async (name) => {
    const file = join(folder, name);
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    return { file, size, writtenAt: mtimeMs };
  });
  return Promise.all(found);
}
