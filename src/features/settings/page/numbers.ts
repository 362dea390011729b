import * as l10n from '@vscode/l10n';

/** The number in `text`, null when empty, undefined when it isn't a number. */
export function parseNumber(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : undefined;
}

export function isUnreadable(text: string | undefined): boolean {
  return text !== undefined && parseNumber(text) === undefined;
}

export function notANumber(): string {
  return l10n.t('Enter a number, using digits and at most one decimal point.');
}
