import * as l10n from '@vscode/l10n';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago `iso` (ISO 8601) was, in short words; undefined without a valid date. */
export function age(iso: string | null | undefined, now: number): string | undefined {
  const then = iso ? Date.parse(iso) : NaN;
  if (Number.isNaN(then)) return undefined;
  const ms = now - then;
  if (ms < minute) return l10n.t('just now');
  if (ms < hour) return l10n.t('{0} min ago', Math.floor(ms / minute));
  if (ms < day) return l10n.t('{0} h ago', Math.floor(ms / hour));
  return l10n.t('{0} d ago', Math.floor(ms / day));
}

/** A span of milliseconds in short words; undefined below a minute. */
export function duration(ms: number): string | undefined {
  if (ms < minute) return undefined;
  if (ms < hour) return l10n.t('{0} min', Math.floor(ms / minute));
  if (ms < day) return l10n.t('{0} h', Math.floor(ms / hour));
  return l10n.t('{0} d', Math.floor(ms / day));
}
