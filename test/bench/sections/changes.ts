import { truncateSync } from 'node:fs';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';
import { SandboxChanges } from '../../../src/features/sandboxChanges/model/sandboxChanges';
import { TestSandbox } from '../../unit/changes/support';
import { atMost, figure, type Figure } from '../support/figures';
import { timed } from '../support/pacing';
import type { Section } from '../support/section';
import { slowSandboxes } from './slowSandbox';

const files = 1_000;
const megabyte = 1024 * 1024;
const line = 'a line of the file, which is as long as lines are\n';

/** Git and the shell run on this computer, so the first figures include no round trips. */
export const changes: Section = {
  title: `an agent’s changes: ${files} files, a 1 MB file, a 100 MB file, slow sandboxes`,
  measure: async (runs = 7) => {
    const sandbox = new TestSandbox();
    try {
      const root = sandbox.clone(
        Object.fromEntries(Array.from({ length: files }, (_, number) => [nameOf(number), String(number)])),
      );
      const source = () =>
        new SandboxChanges(
          sandbox.workspace,
          { root, folder: root, branch: null, at: null },
          new ContentCache(),
        );
      const listing = async (name: string): Promise<Figure> => {
        const times: number[] = [];
        for (let run = 0; run < runs; run += 1) times.push(await timed(() => source().list()));
        return figure(name, 'ms', times, atMost(2_000));
      };
      for (let number = 0; number < files; number += 1)
        sandbox.write(`work/shop/${nameOf(number)}`, `changed ${number}`);
      const many = await listing(`list of ${files} changed files`);
      sandbox.write('work/shop/large', '');
      truncateSync(`${root}/large`, 100 * megabyte);
      const withLarge = await listing('the same with a new 100 MB file');
      const long = line.repeat(Math.ceil(megabyte / line.length));
      sandbox.write('work/shop/long', long);
      sandbox.git('work/shop', 'add', 'long');
      sandbox.git('work/shop', 'commit', '--quiet', '--message', 'Long');
      sandbox.git('work/shop', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
      sandbox.write('work/shop/long', `${long}more\n`);
      const opening = await openings(source, runs);
      return [many, withLarge, opening, ...(await slowSandboxes(runs))];
    } finally {
      sandbox.dispose();
    }
  },
};

const nameOf = (number: number) => `src/folder ${number % 20}/file ${number}.ts`;

async function openings(source: () => SandboxChanges, runs: number): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const opened = source();
    const { files: changed } = await opened.list();
    const long = changed.find(({ path }) => path === 'long');
    if (!long?.before || !long.after) throw new Error('The 1 MB file isn’t among the changes.');
    const sides = [long.before, long.after];
    times.push(await timed(() => Promise.all(sides.map((side) => opened.content(side)))));
  }
  return figure('both sides of a 1 MB file', 'ms', times, atMost(500));
}
