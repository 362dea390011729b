/** Any JSON value: what a field the client does not know may hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** An object of any members. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isJsonObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
