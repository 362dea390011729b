import { Session, type Profiler } from 'node:inspector';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(__filename);

/**
 * A module of the source, such as `shared/terminal`, with all that it needs, as if nothing had been loaded. Other tests
 * go on with the modules that they have: a class that is there twice isn't the same one.
 */
export function loadedAnew(path: string): unknown {
  const source = join(__dirname, '..', '..', 'src');
  const takeLoaded = () => {
    const loaded = Object.entries(load.cache).filter(([file]) => file.startsWith(source));
    for (const [file] of loaded) Reflect.deleteProperty(load.cache, file);
    return Object.fromEntries(loaded);
  };
  const before = takeLoaded();
  try {
    return load(join(source, path));
  } finally {
    takeLoaded();
    Object.assign(load.cache, before);
  }
}

/** Counts how often the blocks of code in files run. Unlike time, that's the same on every computer. */
export class StepCounter {
  readonly #session = new Session();
  readonly #files: RegExp;

  /** The files must be loaded after this. */
  constructor(files: RegExp) {
    this.#files = files;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Steps since the last time. */
  take(): number {
    let scripts: Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
    return scripts
      .filter(({ url }) => this.#files.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
  }

  end(): void {
    this.#session.disconnect();
  }
}
