import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { iconButton, type Part } from '../../../../core/kit/buttons';
import { copy } from '../../../../core/kit/icons';
import type { FileLinks } from '../files';
import { tokensOf } from '../lexer';
import type { Block, Inline } from '../markdown';

/** What the text of an entry may do. */
export interface TextContext {
  openLink: (url: string) => void;
  files?: FileLinks;
  copyCode?: (text: string) => void;
  /** Whether Tab stops at its links. */
  tab: boolean;
}

/** Draws Markdown. Every text goes through a template, so none of it can become an element. */
export function drawBlocks(blocks: readonly Block[], context: TextContext): TemplateResult[] {
  return blocks.map((block) => drawBlock(block, context));
}

function drawBlock(block: Block, context: TextContext): TemplateResult {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${drawInlines(block.content, context)}</p>`;
    case 'heading':
      return html`<p class="heading" data-depth=${block.depth}>${drawInlines(block.content, context)}</p>`;
    case 'code':
      return drawCodeBlock(block, context);
    case 'quote':
      return html`<blockquote>${drawBlocks(block.content, context)}</blockquote>`;
    case 'rule':
      return html`<hr />`;
    case 'plain':
      return html`<p class="muted">${l10n.t('Too long or complex to format, so shown as plain text:')}</p>
        <p class="plain">${block.text}</p>`;
    case 'list':
      return block.ordered
        ? html`<ol start=${block.start}>
            ${drawItems(block, context)}
          </ol>`
        : html`<ul>
            ${drawItems(block, context)}
          </ul>`;
    case 'table': {
      const alignAt = (column: number) => block.align?.[column] ?? nothing;
      return html`<div class="table">
        <table>
          <thead>
            <tr>
              ${block.head.map((cell, at) => html`<th data-align=${alignAt(at)}>${drawInlines(cell, context)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell, at) => html`<td data-align=${alignAt(at)}>${drawInlines(cell, context)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    }
  }
}

function drawCodeBlock(
  { text, language = '' }: Extract<Block, { kind: 'code' }>,
  { copyCode, tab }: TextContext,
): TemplateResult {
  return html`<div class="code-block">
    <pre><code>${colored(text, language)}</code></pre>
    ${copyCode ? iconButton({ label: l10n.t('Copy Code'), icon: copy, click: () => copyCode(text), tab }) : nothing}
  </div>`;
}

/** Code in the theme's colors. */
export const colored = (code: string, language: string): Part =>
  tokensOf(code, language).map(({ kind, text }) =>
    kind === '' ? text : html`<span data-code=${kind}>${text}</span>`,
  );

function drawItems({ items }: Extract<Block, { kind: 'list' }>, context: TextContext): TemplateResult[] {
  return items.map(({ checked, content }) =>
    checked === null
      ? html`<li>${drawBlocks(content, context)}</li>`
      : html`<li class="task">
          <span aria-hidden="true">${checked ? '☑' : '☐'}</span>${drawBlocks(content, context)}
        </li>`,
  );
}

function drawInlines(inlines: readonly Inline[], context: TextContext): TemplateResult[] {
  return inlines.map((inline) => drawInline(inline, context));
}

function drawInline(inline: Inline, context: TextContext): TemplateResult {
  switch (inline.kind) {
    case 'text':
      return html`${inline.text}`;
    case 'code':
      return drawCode(inline.text, context);
    case 'strong':
      return html`<strong>${drawInlines(inline.content, context)}</strong>`;
    case 'emphasis':
      return html`<em>${drawInlines(inline.content, context)}</em>`;
    case 'deleted':
      return html`<del>${drawInlines(inline.content, context)}</del>`;
    case 'break':
      return html`<br />`;
    case 'link':
      return drawLink(inline, context);
  }
}

/** A file’s path, and a line of it. */
const filePattern = /^([^\s:*?"<>|\\]+\.\w+)(?::(\d+))?(?::\d+)?$/;

/** Code in a line: a link to a file that’s here, if it’s one. */
function drawCode(text: string, { files, tab }: TextContext): TemplateResult {
  const [, path, line] = filePattern.exec(text) ?? [];
  if (!files || path === undefined) return html`<code>${text}</code>`;
  const code = html`<code title=${text}>${files.short(path)}${text.slice(path.length)}</code>`;
  const open = () => files.open(path, line === undefined ? 1 : Number(line));
  return files.isHere(path) ? link({ title: text, tab, open }, code) : code;
}

function link(
  { title, tab, open }: { title: string; tab: boolean; open: () => void },
  content: unknown,
): TemplateResult {
  return html`<a
    role="link"
    title=${title}
    tabindex=${tab ? 0 : -1}
    @click=${open}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Enter') open();
    }}
    >${content}</a
  >`;
}

/** Without `href`: the editor would open that itself, without showing where it leads. */
function drawLink(
  { url, content }: Extract<Inline, { kind: 'link' }>,
  { openLink, tab }: TextContext,
): TemplateResult {
  const inner = drawInlines(content, { openLink: () => undefined, tab: false });
  return link({ title: url, tab, open: () => openLink(url) }, inner);
}
