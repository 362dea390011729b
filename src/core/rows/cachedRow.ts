import type { Row } from './row';

const kept = new WeakMap<object, Map<string, { key: string; row: Row }>>();

/**
 * The row of a record, made again only if the record or `key` changes.
 * @param place distinguishes the rows of a record that is shown in several places
 * @param key whatever the row depends on besides the record
 */
export function cachedRow(record: object, place: string, key: string, make: () => Row): Row {
  const places = kept.get(record) ?? new Map<string, { key: string; row: Row }>();
  kept.set(record, places);
  const known = places.get(place);
  if (known?.key === key) return known.row;
  const row = make();
  places.set(place, { key, row });
  return row;
}
