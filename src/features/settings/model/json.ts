import { isJsonObject, type Json } from '../../../shared/json';

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, Json>>;

/** The same text for equal JSON values, whatever the order of their objects' members. */
export function canonical(value: Json): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  // fromEntries makes own members even of names such as __proto__; an assignment wouldn't.
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** The object's own member of this name, never an inherited one. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
