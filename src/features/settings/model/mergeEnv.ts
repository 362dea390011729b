import * as l10n from '@vscode/l10n';
import type { Json } from '../../../shared/json';
import { same } from '../../../shared/same';
import type { Judge } from './judge';
import type { WantedEntry } from './secrets';

/** The three sides of one server's environment variables. Values are secrets. */
export interface EnvSides {
  id: string;
  label: string;
  previous: ReadonlyMap<string, Json>;
  mine: readonly WantedEntry[];
  theirs: ReadonlyMap<string, Json>;
}

type Words = Record<'mine' | 'theirs' | 'previous', string>;

/** Three-way merge of environment variables, each by itself and known by the name it had. */
export function mergeEnv(sides: EnvSides, judge: Judge): Map<string, Json> {
  const { previous, mine, theirs } = sides;
  /** By the name in `theirs`; a new one by a key that no name equals. */
  const result = new Map<string | symbol, [name: string, value: Json]>(
    [...theirs].map(([name, value]) => [name, [name, value]]),
  );
  const ask = (name: string, member: string, words: Words) =>
    judge.decide({
      target: { at: 'mcp', id: sides.id, member },
      label: `${sides.label}: env.${name}`,
      words,
      theirs: [name, theirs.get(name) ?? null],
    });

  const stillWanted = new Set(mine.map(({ from }) => from));
  for (const [name, was] of previous) {
    const held = theirs.get(name);
    if (held === undefined || stillWanted.has(name)) continue;
    const words = { mine: l10n.t('Deleted'), theirs: l10n.t('Changed'), previous: l10n.t('Set') };
    if (same(held, was) || ask(name, `env:${name}`, words) === 'mine') result.delete(name);
  }

  mine.forEach(({ from, name, value: wanted }, index) => {
    const was = from === null ? undefined : previous.get(from);
    const held = from === null ? undefined : theirs.get(from);
    const replaces = wanted !== undefined && !(was !== undefined && same(wanted, was));
    if (was !== undefined && !replaces && name === from) return;

    const ours = replaces ? l10n.t('Replaced') : l10n.t('Renamed');
    const yields = (theirWords: string, previousWords: string) =>
      ask(name, `env.${index}`, { mine: ours, theirs: theirWords, previous: previousWords }) === 'theirs';
    let value = replaces ? wanted : (held ?? was ?? '');
    /** A variable that someone else gave the new name of this one. */
    const double = name === from || previous.has(name) ? undefined : theirs.get(name);

    if (double !== undefined && same(double, value)) {
      // Both sides did the same, or an earlier save with an unknown outcome did.
      if (from !== null) result.delete(from);
      return;
    }
    if (was !== undefined && held === undefined && yields(l10n.t('Deleted'), l10n.t('Set'))) return;
    if (was !== undefined && held !== undefined && replaces) {
      const agreed = same(held, was) || same(held, value);
      if (!agreed && yields(l10n.t('Changed'), l10n.t('Set'))) value = held;
    }
    if (double !== undefined && yields(l10n.t('Added'), l10n.t('None'))) return;
    if (double !== undefined) result.delete(name);
    result.set(held === undefined ? Symbol(name) : (from ?? name), [name, value]);
  });
  return new Map(result.values());
}
