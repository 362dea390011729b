import * as l10n from '@vscode/l10n';

/**
 * Joins sentences by the rules of the window's language: Chinese and Japanese have no space after their own full stop,
 * but quoted text and text in the service's language are set apart.
 */
export function sentences(...parts: readonly string[]): string {
  const between = l10n.t('{0} {1}', '', '');
  const said = parts.filter((part) => part !== '');
  return said
    .map((part, index) => (index === 0 ? '' : /[。！？]$/.test(said[index - 1] ?? '') ? between : ' ') + part)
    .join('');
}

/** Joins the parts that aren’t empty into one description. */
export function joined(...parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}

/** Joins names with the comma of the window's language. */
export function nameList(names: readonly string[]): string {
  // Look up the separator only once: a hostile service can send long lists.
  const between = l10n.t('{0}, {1}', '', '');
  return names.filter((name) => name !== '').join(between);
}

/** Names in quotation marks, joined likewise; of many, the first. */
export function quotedNames(names: readonly string[], most = 10): string {
  const shown = nameList(names.slice(0, most).map((name) => l10n.t('“{0}”', name)));
  return names.length > most ? l10n.t('{0} and {1} more', shown, names.length - most) : shown;
}

/** A text from the service as a sentence that others can follow, whatever its language. */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
