import * as l10n from '@vscode/l10n';

/** Formats with what `make` returns for the page's language. Made once: that takes far longer than to use it. */
export function formatting(make: (language: string) => { format: (value: number) => string }) {
  let formatter: ReturnType<typeof make> | undefined;
  return (value: number) => (formatter ??= make(document.documentElement.lang || 'en')).format(value);
}

const withNumbers = (options: Intl.NumberFormatOptions) =>
  formatting((language) => new Intl.NumberFormat(language, options));

/** A whole number. */
export const numberWords = withNumbers({ maximumFractionDigits: 0 });
const tenths = withNumbers({ maximumFractionDigits: 1 });

/** A large number in short form, such as 12K. */
export const shortNumber = withNumbers({ notation: 'compact', maximumFractionDigits: 1 });

const amount = withNumbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount of money. */
export function costWords(cost: number): string {
  return `$${amount(cost)}`;
}

/** A span of milliseconds in short words. */
export function spanWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return l10n.t('{0} s', tenths(Math.max(0, seconds)));
  if (seconds < 60) return l10n.t('{0} s', Math.floor(seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min {1} s', minutes, Math.floor(seconds % 60));
  return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}
