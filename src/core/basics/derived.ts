/** Caches the result of `make` for as long as its argument exists; for values that are needed after every change. */
export function derived<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const kept = new WeakMap<K, { value: V }>();
  return (from) => {
    const known = kept.get(from) ?? { value: make(from) };
    kept.set(from, known);
    return known.value;
  };
}
