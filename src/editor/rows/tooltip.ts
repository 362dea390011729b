import * as vscode from 'vscode';
import { markdownText } from '../../shared/markdownText';
import type { TooltipLine } from '../../core/rows/row';

/**
 * A tooltip as the editor shows it: the title in bold, then one line per fact. No HTML, commands, or icons. Text from
 * the service never becomes markup or a link.
 */
export function tooltipMarkdown([title, ...facts]: readonly TooltipLine[]): vscode.MarkdownString {
  const lines = facts.map(({ label, value }) =>
    markdownText(label === undefined ? value : `${label}: ${value}`),
  );
  const blocks = [...(title ? [`**${markdownText(title.value)}**`] : []), lines.join('  \n')];
  return new vscode.MarkdownString(blocks.filter((block) => block !== '').join('\n\n'));
}
