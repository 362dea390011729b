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
  return [
    ...progress.flatMap((one) => {
      const name = nameOf(one.connection);
      if (one.error !== undefined)
        return [l10n.t('{0} couldn’t be read to the end. {1}', name, describe(one.error))];
      return one.hasMore ? [l10n.t('{0} has older conversations than the {1} read.', name, one.read)] : [];
    }),
    ...withoutKey.map((name) => l10n.t('{0} has no session key on this computer.', nameOf(name))),
    ...(counted > 0 ? [l10n.t('Conversations on several connections, counted once: {0}.', counted)] : []),
    ...(cost > 0 ? [l10n.t('Conversations that report no cost: {0}.', cost)] : []),
    ...(tokens > 0 ? [l10n.t('Conversations that don’t report all of their tokens: {0}.', tokens)] : []),
    ...(odd > 0 ? [l10n.t('Conversations that report an amount that can’t be right: {0}.', odd)] : []),
    ...(skipped > 0 ? [l10n.t('Conversations that couldn’t be read: {0}.', skipped)] : []),
  ];
}
