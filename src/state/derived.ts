/** A function of an object whose result is kept for as long as the object is: for what is asked at every change. */
export function derived<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const kept = new WeakMap<K, { value: V }>();
  return (from) => {
    const known = kept.get(from) ?? { value: make(from) };
    kept.set(from, known);
    return known.value;
  };
}
