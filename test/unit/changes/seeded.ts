import type { Parameters } from 'fast-check';

/**
 * Parameters of a property test with a seed of its own in each run, which is printed.
 * @param name of the variable that repeats a run
 */
export function seeded<T>(name: string, parameters: Parameters<T>): Parameters<T> {
  const seed = Number(process.env[name] ?? Math.floor(Math.random() * 0x7fff_ffff));
  console.log(`      ${name}=${seed}`);
  return { ...parameters, seed };
}
