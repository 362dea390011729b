import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { drawn } from './drawn';
import { projectFolder } from './paths';

const load = createRequire(__filename);
/** Loaded before any page’s globals are there: with those, it would take itself for being in a browser. */
const lit = ['lit', 'lit/html.js'].map((name) => [load.resolve(name), load(name) as object] as const);

type Listener = (event: object) => void;
type ListenerOptions = { capture?: boolean } | undefined;

/** An element as far as pages ask for it while they start. */
class StartedElement {
  className = '';
  textContent = '';
  readonly dataset: Record<string, string> = {};
  readonly attributes: Record<string, string> = {};
  readonly children: StartedElement[] = [];
  readonly isConnected = true;
  focus = () => undefined;
  closest = () => null;
  setAttribute = (name: string, value: string) => void (this.attributes[name] = value);
  append = (child: StartedElement) => void this.children.push(child);
}

/** What else a page has around it. */
interface Around {
  /** In its global scope, and in its document. */
  globals?: object;
  document?: object;
  /** Its elements by what is in their tags, such as `id="feed"`; by default, it has none but the root. */
  element?: (mark: string) => object | null;
}

type Page = ReturnType<typeof emptyPage>;

/** Ends the page that was started last: two would take each other’s globals for those of Node. */
let endLast: () => void = () => undefined;

/**
 * Starts the `main.ts` of a page, such as `features/usage/page`, without a browser. It’s drawn by `drawn`. Call `end`
 * at last, which takes away what it put into the global scope.
 * @param kept what the editor has kept of the page
 */
export function startedPage(folder: string, kept?: unknown, around: (page: Page) => Around = () => ({})) {
  const page = emptyPage();
  const { globals, document, element } = around(page);
  page.put({
    HTMLElement: StartedElement,
    document: page.documentWith(document ?? {}, element ?? (() => null)),
    window: { innerHeight: 1_000, addEventListener: page.listen('window') },
    setInterval: (act: () => void, ms: number) => page.timers.push({ act, ms }),
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => page.posted.push(structuredClone(message)),
      getState: () => kept,
      setState: (state: unknown) => page.stored.push(structuredClone(state)),
    }),
    ...globals,
  });
  try {
    loadMain(path.join(projectFolder, 'src', folder), page.render);
    return page;
  } catch (error) {
    page.end();
    throw error;
  }
}

/** Loads what is there once for each page anew, with `render` instead of Lit’s, and without style sheets. */
function loadMain(folder: string, render: unknown): void {
  const main = path.join(folder, 'main.ts');
  const instead: Record<string, object | undefined> = {
    ...Object.fromEntries(lit.map(([file, exports]) => [file, { ...exports, render }])),
    [path.join(folder, 'main.css')]: {},
    [path.join(folder, 'card.css')]: {},
    [path.join(projectFolder, 'src/core/kit/host.ts')]: undefined,
    [main]: undefined,
  };
  const before = Object.keys(instead).map((file) => [file, load.cache[file]] as const);
  for (const [file, exports] of Object.entries(instead))
    if (exports) load.cache[file] = Object.assign(new Module(file), { exports, loaded: true });
    else Reflect.deleteProperty(load.cache, file);
  try {
    load(main);
  } finally {
    for (const [file, module] of before)
      if (module) load.cache[file] = module;
      else Reflect.deleteProperty(load.cache, file);
  }
}

function emptyPage() {
  endLast();
  let isOver = false;
  const listeners: { of: string; listener: Listener; isCapturing: boolean }[] = [];
  const [root, body] = [new StartedElement(), new StartedElement()];
  const scope: Record<string, unknown> = {};
  const before = new Map<string, PropertyDescriptor | undefined>();
  let shown: unknown;
  let drawings = 0;
  let made: ({ of: number } & ReturnType<typeof drawn>) | undefined;
  const listen = (of: string) => (type: string, listener: Listener, options?: ListenerOptions) => {
    const isCapturing = options?.capture === true;
    listeners[isCapturing ? 'unshift' : 'push']({ of: `${of} ${type}`, listener, isCapturing });
  };
  const put = (more: object = {}) => {
    // What is late, such as a promise of the page, mustn’t take Node’s timers from other tests.
    if (isOver) return;
    Object.assign(scope, more);
    for (const name of Object.keys(more)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.assign(globalThis, scope);
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  };
  endLast = end;
  /** Does what an event does; on an element, if it doesn’t bubble. */
  const tell = (event: string, detail: object = {}, bubbles = true) => {
    for (const { of, listener, isCapturing } of listeners)
      if (of === event && (bubbles || isCapturing)) listener(detail);
  };
  return {
    posted: [] as unknown[],
    stored: [] as unknown[],
    timers: [] as { act: () => void; ms: number }[],
    ...{ body, listen, put, tell },
    documentWith: (more: object, element: (mark: string) => object | null) =>
      Object.defineProperties(
        {
          ...{
            body,
            activeElement: body,
            documentElement: { lang: 'en' },
            addEventListener: listen('document'),
          },
          createElement: () => new StartedElement(),
          getElementById: (id: string) => (id === 'root' ? root : element(`id="${id}"`)),
        },
        Object.getOwnPropertyDescriptors(more),
      ),
    render: (what: unknown, into: unknown) => {
      if (into !== root) throw new Error('It’s drawn somewhere else.');
      shown = what;
      drawings += 1;
    },
    drawings: () => drawings,
    /** What it shows now. */
    now: () => {
      if (made?.of !== drawings) made = { of: drawings, ...drawn(() => shown) };
      put();
      return made;
    },
    /** What it says to screen readers. */
    said: () => body.children.map(({ textContent }) => textContent).join(),
    /** Sends it a message from the extension. */
    receive: (data: unknown) => tell('window message', { data }),
    end,
  };
}
