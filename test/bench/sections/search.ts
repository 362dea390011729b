import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '../../../src/api/service/client';
import { SearchFiles } from '../../../src/editor/searchFiles';
import { ConversationSearch } from '../../../src/features/search';
import { createSecretMask, storedPages } from '../../../src/features/transcript';
import { tempFolder } from '../../support/lifetime';
import { projectFolder } from '../../support/paths';
import { startProcess } from '../../support/processes';
import { atMost, figure, never } from '../support/figures';
import type { Section } from '../support/section';

const conversations = 1_000;
const eventsEach = 200;

/** Requests in a second that one origin gets at most, of which others need some, too. */
const perSecond = 8 / 1.1;

export const search: Section = {
  title: `all of ${conversations} conversations with ${conversations * eventsEach} events, without the limit of requests`,
  measure: async (runs = 1) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const program = path.join(projectFolder, 'test', 'bench', 'support', 'longHistories.ts');
    const running = startProcess(process.execPath, [
      ...['--require', 'tsx/cjs', program, `${conversations}`, `${eventsEach}`],
    ]);
    const [line] = await running.line(/^\{.*\}$/, 300_000);
    const { url: baseUrl, sessionKey } = JSON.parse(line) as { url: string; sessionKey: string };
    const connection = { name: 'Bench', baseUrl, origin: baseUrl };
    const all: Measured[][] = [];
    const sizes: { files: number; bytes: number }[] = [];
    for (let run = 0; run < runs; run += 1) {
      const folder = await tempFolder();
      let requests = 0;
      const limiter = { enter: () => Promise.resolve(() => undefined) };
      const log = () => void (requests += 1);
      const client = createClient({ baseUrl, sessionKey, limiter, log });
      const once = async (): Promise<Measured> => {
        const searching = new ConversationSearch({
          reach: () => Promise.resolve({ client, connection }),
          pagesOf: (service, { id }) => Promise.resolve(storedPages(service.client, id)),
          readSecrets: () => Promise.resolve(true),
          mask: createSecretMask(() => [sessionKey]),
          store: new SearchFiles(folder.path),
          now: Date.now,
        });
        collect();
        const [heap, began, used] = [process.memoryUsage().heapUsed, performance.now(), processor()];
        // Collecting takes longer, the more the sections before have left.
        let collecting = 0;
        let first = NaN;
        let most = 0;
        requests = 0;
        searching.onDidChange(() => {
          if (Number.isNaN(first) && searching.state.found.length > 0) first = performance.now() - began;
          if ((searching.state.progress[0]?.searched ?? 1) % 100 === 0) {
            const before = processor();
            collect();
            collecting += processor() - before;
            most = Math.max(most, process.memoryUsage().heapUsed - heap);
          }
        });
        await searching.search('zwetschge', [connection]);
        const { found, progress } = searching.state;
        if (found.length !== conversations / 100)
          throw new Error(`Found ${found.length}: ${JSON.stringify(progress)}`);
        const cpu = processor() - used - collecting;
        return { first, whole: performance.now() - began, cpu, requests, heap: most / 1024 };
      };
      all.push([await once(), await once()]);
      sizes.push(await sizeOf(folder.path));
      await folder.remove();
    }
    await running.stop();
    const of = (search: number, what: keyof Measured) => all.map((run) => run[search]?.[what] ?? NaN);
    return [
      figure('first search: until the first hit', 'ms', of(0, 'first')),
      figure('  until all is searched', 'ms', of(0, 'whole')),
      figure('  processor', 'ms', of(0, 'cpu')),
      // A page has 100 conversations or events, and one request finds out where they are listed.
      figure('  requests', '', of(0, 'requests'), never(conversations / 100 + conversations * 3 + 1)),
      figure(
        '  of which the limit makes',
        's',
        of(0, 'requests').map((count) => count / perSecond),
      ),
      figure('  most heap meanwhile', 'kB', of(0, 'heap'), atMost(20_000)),
      figure('second search: until the first hit', 'ms', of(1, 'first'), atMost(1_000)),
      figure('  until all is searched', 'ms', of(1, 'whole')),
      figure('  processor', 'ms', of(1, 'cpu'), atMost(1_500)),
      figure('  requests', '', of(1, 'requests'), never(conversations / 100 + 1)),
      figure('  most heap meanwhile', 'kB', of(1, 'heap'), atMost(20_000)),
      figure(
        'index: files',
        '',
        sizes.map(({ files }) => files),
        never(1_000),
      ),
      figure(
        '  size',
        'kB',
        sizes.map(({ bytes }) => bytes / 1024),
        never(50_000),
      ),
    ];
  },
};

/** Milliseconds of processor time so far. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Measured {
  first: number;
  whole: number;
  cpu: number;
  requests: number;
  heap: number;
}

async function sizeOf(folder: string): Promise<{ files: number; bytes: number }> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  );
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
