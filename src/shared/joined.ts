import * as l10n from '@vscode/l10n';

/**
 * Sentences in a row, as the window's language sets them: Chinese and Japanese have no blank after their own full stop,
 * but what is quoted, or in the service's language, is set apart.
 */
export function sentences(...parts: readonly string[]): string {
  const between = l10n.t('{0} {1}', '', '');
  const said = parts.filter((part) => part !== '');
  return said
    .map((part, index) => (index === 0 ? '' : /[。！？]$/.test(said[index - 1] ?? '') ? between : ' ') + part)
    .join('');
}

/** Names in a row, with the comma of the window's language. */
export function nameList(names: readonly string[]): string {
  // The lists of a hostile service are long: what stands between two is looked up once.
  const between = l10n.t('{0}, {1}', '', '');
  return names.filter((name) => name !== '').join(between);
}

/** A text of the service's as a sentence that others can follow, whatever language it is in. */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
