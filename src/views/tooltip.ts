import * as vscode from 'vscode';
import type { TooltipLine } from './row';

/**
 * A tooltip as the editor shows it: the title in bold, then one line per fact. No HTML, commands, or icons. Text from
 * the service never becomes markup or a link.
 */
export function tooltipMarkdown([title, ...facts]: readonly TooltipLine[]): vscode.MarkdownString {
  const lines = facts.map(({ label, value }) => escaped(label === undefined ? value : `${label}: ${value}`));
  const blocks = [...(title ? [`**${escaped(title.value)}**`] : []), lines.join('  \n')];
  return new vscode.MarkdownString(blocks.filter((block) => block !== '').join('\n\n'));
}

/** Escapes everything that Markdown could interpret. `appendText` would leave addresses, which become links. */
const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
