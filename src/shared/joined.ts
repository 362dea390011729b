import * as l10n from '@vscode/l10n';

/** Sentences in a row, as the window's language sets them: Chinese and Japanese have no blank between. */
export function sentences(...parts: readonly string[]): string {
  return joined(parts, l10n.t('{0} {1}', '', ''));
}

/** Names in a row, with the comma of the window's language. */
export function nameList(names: readonly string[]): string {
  return joined(names, l10n.t('{0}, {1}', '', ''));
}

// The lists of a hostile service are long: what stands between two is looked up once.
function joined(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== '').join(between);
}

/** A text of the service's as a sentence that others can follow, whatever language it is in. */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
