import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runMain, UserError } from '../support/lifetime';
import { activation } from './sections/activation';
import { changes } from './sections/changes';
import { client } from './sections/client';
import { form } from './sections/form';
import { heap } from './sections/heap';
import { refresh } from './sections/refresh';
import { refusals } from './sections/refusals';
import { requests } from './sections/requests';
import { search } from './sections/search';
import { size } from './sections/size';
import { transcript } from './sections/transcript';
import { watching } from './sections/watching';
import type { Figure } from './support/figures';
import type { Section } from './support/section';
import { table } from './support/table';

const sections: Record<string, Section> = {
  size,
  activation,
  client,
  refusals,
  refresh,
  heap,
  form,
  requests,
  watching,
  transcript,
  changes,
  search,
};

/**
 * `--only NAME` measures one section, `--runs N` measures each N times, `--json FILE` saves the figures after each
 * section.
 */
runMain(async () => {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, runs: { type: 'string' }, json: { type: 'string' } },
  });
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  if (runs !== undefined && !(Number.isInteger(runs) && runs > 0)) {
    throw new UserError(`--runs must be a whole number above 0, not "${String(values.runs)}".`);
  }
  const chosen = Object.entries(sections).filter(([name]) => [undefined, name].includes(values.only));
  if (chosen.length === 0) throw new UserError(`--only can be ${Object.keys(sections).join(', ')}.`);

  const about = { node: process.version, platform: `${process.platform}-${process.arch}` };
  const all: Record<string, Figure[]> = {};
  const failures: string[] = [];
  for (const [name, { title, measure }] of chosen) {
    try {
      all[name] = await measure(runs);
      console.log(table(`${name}: ${title}`, all[name]));
    } catch (error) {
      // The other sections don't depend on this one, and take long to measure.
      failures.push(name);
      console.error(`\n── ${name} failed ──`, error);
    }
    if (values.json !== undefined) {
      writeFileSync(values.json, `${JSON.stringify({ ...about, sections: all, failures }, undefined, 2)}\n`);
    }
  }
  const unmet = Object.values(all).flatMap((figures) => figures.filter(({ met }) => met === false));
  console.log(`\n${Object.keys(all).length} sections measured, ${unmet.length} goals not met.`);
  if (failures.length > 0) console.error(`Failed: ${failures.join(', ')}.`);
  return failures.length > 0 ? 1 : 0;
});
