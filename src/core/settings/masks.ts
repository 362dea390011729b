import type { Json } from '../../shared/json';

/** Marks in a row stand for a hidden part, as in `REAL****1234`. One or two can be meant: `*`, `**`. */
const marks = /[*•●∙]{3}/;
/** `sk-…1234` */
const shortened = /^[\w-]+(?:\.{3}|…)[\w-]+$/;
/** `<redacted>`, `[hidden]` */
const placeholder =
  /^(?:redacted|\W{1,2}(?:redacted|masked|hidden|removed|filtered|omitted|secret|sensitive)\W{1,2})$/i;

/** True for text that looks like a mask of all or part of a hidden value. A guess: ask before acting on it. */
function seemsMasked(text: string): boolean {
  return marks.test(text) || shortened.test(text) || placeholder.test(text.trim());
}

/** True if `value` contains text, at any depth, that looks like a mask. */
export function hidesSomething(value: Json | undefined): boolean {
  if (typeof value === 'string') return seemsMasked(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hidesSomething);
}
