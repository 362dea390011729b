import { isJsonObject, type JsonMembers } from '../../../shared/json';

/** Arguments as JSON: nothing of them is left out. */
export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Names that stand without quotation marks. */
const plainName = /^[\w.-]+$/;
const lineEnds = /[\n\r\u2028\u2029]/;
/** Deeper values are JSON. */
const deepest = 10;

/**
 * Arguments as people read them: a member on each line, and texts of several lines below their names as they are, set
 * in so that no line of them can look like another member.
 */
export function readableArguments(input: JsonMembers, depth = 0): string {
  return Object.entries(input)
    .map(([name, value]) => `${plainName.test(name) ? name : quoted(name)}:${told(value, depth)}`)
    .join('\n');
}

/** In one line. */
const quoted = (name: string) =>
  JSON.stringify(name).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);

const setIn = (text: string) => `\n${text.replace(/^/gm, '  ')}`;

function told(value: unknown, depth: number): string {
  if (typeof value === 'string' && value !== '') return lineEnds.test(value) ? setIn(value) : ` ${value}`;
  const isDeep = depth >= deepest;
  if (!isDeep && Array.isArray(value) && value.length > 0)
    return setIn(value.map((item) => `-${told(item, depth + 1)}`).join('\n'));
  if (!isDeep && isJsonObject(value) && Object.keys(value).length > 0)
    return setIn(readableArguments(value, depth + 1));
  const json = pretty(value) as string | undefined;
  return json === undefined ? '' : lineEnds.test(json) ? setIn(json) : ` ${json}`;
}
