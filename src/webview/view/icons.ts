import { svg, type SVGTemplateResult } from 'lit';

/** Small pictures beside words; they say nothing that the words do not say too. */
function icon(content: SVGTemplateResult): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${content}</svg>`;
}

export const chevronRight = icon(svg`<path d="M6 3.5 10.5 8 6 12.5" />`);
export const chevronDown = icon(svg`<path d="M3.5 6 8 10.5 12.5 6" />`);
export const arrowUp = icon(svg`<path d="M8 13V3.5M4 7.5l4-4 4 4" />`);
export const arrowDown = icon(svg`<path d="M8 3v9.5M4 8.5l4 4 4-4" />`);
export const problemIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 4.5v4.5M8 11v.8" />`);
export const infoIcon = icon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 7v4.8M8 4.4v.8" />`);
