import { svg, type SVGTemplateResult } from 'lit/html.js';

/** Small pictures beside words; they say nothing the words don't. */
function icon(content: SVGTemplateResult): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${content}</svg>`;
}

export const chevronRight = icon(svg`<path d="M6 3.5 10.5 8 6 12.5" />`);
export const chevronDown = icon(svg`<path d="M3.5 6 8 10.5 12.5 6" />`);
export const arrowUp = icon(svg`<path d="M8 13V3.5M4 7.5l4-4 4 4" />`);
export const arrowDown = icon(svg`<path d="M8 3v9.5M4 8.5l4 4 4-4" />`);
export const matchCase = icon(
  svg`<path d="M1.5 12.5 4.5 4l3 8.5M2.5 9.5h4M14 7.5v5" /><circle cx="11.7" cy="10.2" r="2.3" />`,
);
export const wholeWord = icon(
  svg`<path d="M7 5.5v5M9 2.5v8M1.5 11.5v2h13v-2" /><circle cx="4.8" cy="8" r="2.2" /><circle cx="11.2" cy="8" r="2.2" />`,
);
export const cross = icon(svg`<path d="M4 4l8 8M12 4l-8 8" />`);
export const copy = icon(svg`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />`);
export const trash = icon(
  svg`<path d="M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.800l.6-9M6.800 7v4M9.200 7v4" />`,
);
export const check = icon(svg`<path d="M3 8.5 6.5 12 13 4.5" />`);
export const dot = icon(svg`<circle cx="8" cy="8" r="2.5" fill="currentColor" />`);
export const problemIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 4.5v4.5M8 11v.8" />`);
export const infoIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 7v4.8M8 4.4v.8" />`);
export const find = icon(svg`<circle cx="7" cy="7" r="4" /><path d="M10 10l3.5 3.500" />`);
export const diffIcon = icon(svg`<path d="M4 2.500h8v11H4zM8 4.500v4M6 6.500h4M6 11h4" />`);
export const textIcon = icon(svg`<path d="M3 4h10M3 7h10M3 10h10M3 13h6" />`);
export const exportIcon = icon(svg`<path d="M8 2v8M5 7l3 3 3-3M3 10.500v3h10v-3" />`);
export const more = icon(
  svg`<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.200" stroke-linecap="round" />`,
);
export const pauseIcon = icon(svg`<path d="M5.500 3.500v9M10.500 3.500v9" stroke-width="2" />`);
export const stop = icon(svg`<path d="M4 4h8v8H4z" fill="currentColor" />`);
export const play = icon(svg`<path d="M5 3.500v9l7-4.500z" fill="currentColor" />`);
