import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { UsageReading } from './reading';

/** What the totals of a reading leave out, in sentences. */
export function uncountedWords(
  { totals, progress }: Pick<UsageReading, 'totals' | 'progress'>,
  withoutKey: readonly string[],
  describe: (error: unknown) => string,
): string[] {
  const { cost, tokens, odd } = totals.missing;
  const skipped = progress.reduce((sum, one) => sum + one.skipped, 0);
  const counted = progress.reduce((sum, one) => sum + one.counted, 0);
  const nameOf = (name: string) => plainText(name, 100);
  const count = (number: number, one: string, several: (number: number) => string) =>
    number === 0 ? [] : [number === 1 ? one : several(number)];
  return [
    ...progress.flatMap((one) => {
      const name = nameOf(one.connection);
      if (one.error !== undefined)
        return [l10n.t('{0} couldn’t be read to the end. {1}', name, describe(one.error))];
      return one.hasMore ? [l10n.t('{0} has older conversations than the {1} read.', name, one.read)] : [];
    }),
    ...withoutKey.map((name) => l10n.t('{0} has no session key on this computer.', nameOf(name))),
    ...count(counted, l10n.t('1 conversation is on several connections and counts once.'), (number) =>
      l10n.t('{0} conversations are on several connections and count once.', number),
    ),
    ...count(cost, l10n.t('1 conversation reports no cost.'), (number) =>
      l10n.t('{0} conversations report no cost.', number),
    ),
    ...count(tokens, l10n.t('1 conversation doesn’t report all of its tokens.'), (number) =>
      l10n.t('{0} conversations don’t report all of their tokens.', number),
    ),
    ...count(odd, l10n.t('1 conversation reports an amount that can’t be right.'), (number) =>
      l10n.t('{0} conversations report an amount that can’t be right.', number),
    ),
    ...count(skipped, l10n.t('1 conversation couldn’t be read.'), (number) =>
      l10n.t('{0} conversations couldn’t be read.', number),
    ),
  ];
}
