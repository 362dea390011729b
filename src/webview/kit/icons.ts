import { svg, type SVGTemplateResult } from 'lit/html.js';

/** Small pictures beside words; they say nothing the words don't. */
function icon(content: SVGTemplateResult): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${content}</svg>`;
}

export const chevronRight = icon(svg`<path d="M6 3.5 10.5 8 6 12.5" />`);
export const chevronDown = icon(svg`<path d="M3.5 6 8 10.5 12.5 6" />`);
export const arrowUp = icon(svg`<path d="M8 13V3.5M4 7.5l4-4 4 4" />`);
export const arrowDown = icon(svg`<path d="M8 3v9.5M4 8.5l4 4 4-4" />`);
export const cross = icon(svg`<path d="M4 4l8 8M12 4l-8 8" />`);
export const copy = icon(svg`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />`);
export const trash = icon(
  svg`<path d="M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.800l.6-9M6.800 7v4M9.200 7v4" />`,
);
export const check = icon(svg`<path d="M3 8.5 6.5 12 13 4.5" />`);
export const dot = icon(svg`<circle cx="8" cy="8" r="2.5" fill="currentColor" />`);
export const problemIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 4.5v4.5M8 11v.8" />`);
export const infoIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 7v4.8M8 4.4v.8" />`);
