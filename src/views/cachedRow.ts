import type { Row } from './row';

const kept = new WeakMap<object, Map<string, { key: string; row: Row }>>();

/**
 * The row of a record, made anew only when the record or `key` is another: what the row depends on beside the record.
 * @param place tells the row's places apart where a record is shown in more than one
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
