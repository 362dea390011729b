import path from 'node:path';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { tempFolder } from '../../support/lifetime';
import { projectFolder } from '../../support/paths';
import type * as HostParts from './hostParts';
import { lazily } from './lazily';
import { hastyLimiter } from './pacing';
import { quiet } from '../../support/builders/quiet';

const noAttempts = { of: () => undefined, onDidChange: () => ({ dispose: () => undefined }) };

/** A list view with everything behind it, from the client to the tree items, without an editor. */
export interface ViewBelowEditor {
  /** Does what the Refresh command does for this list; resolves when the list has been read. */
  refresh: () => Promise<void>;
  /** Resolves at the next drawing with the number of items, and whether the whole list was drawn. */
  nextDrawing: () => Promise<{ items: number; all: boolean }>;
  dispose: () => void;
}

/** The extension's own code, minified as in the package, with a stub for the `vscode` module. */
const loadHostParts = lazily(async (): Promise<typeof HostParts> => {
  const { path: folder } = await tempFolder();
  const here = path.join(projectFolder, 'test', 'bench', 'support');
  const outfile = path.join(folder, 'hostParts.js');
  await build({
    entryPoints: [path.join(here, 'hostParts.ts')],
    alias: { vscode: path.join(here, 'editorStub.ts') },
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return createRequire(__filename)(outfile) as typeof HostParts;
});

/** Opens the view on a service, connected and checked. Only what the check needs has been read. */
export async function openViewBelowEditor(
  url: string,
  sessionKey: string,
  list: 'sandboxes' | 'conversations' = 'sandboxes',
): Promise<ViewBelowEditor> {
  const parts = await loadHostParts();
  const { createClient, drawn, ListView, ServiceModel, SessionStore } = parts;
  const session = new SessionStore({
    readTarget: () =>
      Promise.resolve({ connection: { name: 'Bench', baseUrl: url, origin: url }, sessionKey }),
    createClient: ({ baseUrl }) => createClient({ baseUrl, sessionKey, limiter: hastyLimiter() }),
  });
  const model = new ServiceModel({ session, ...quiet });
  model.setFocused(false);
  const view = new ListView(list, () => undefined);
  view.attach(
    list === 'sandboxes'
      ? parts.sandboxesView(session, model, noAttempts)
      : conversationsView(parts, session, model),
    session.reload(),
    { set: () => undefined, setSelectionGone: () => undefined },
  );
  await session.reload();
  await session.verify();
  if (session.current.kind !== 'ready') throw new Error(`The session is ${session.current.kind}.`);
  return {
    refresh: () => model.refresh(list),
    nextDrawing: () =>
      new Promise((resolve) => {
        const listening = drawn.event((drawing) => {
          listening.dispose();
          resolve(drawing);
        });
      }),
    dispose: () => {
      view.dispose();
      model.dispose();
    },
  };
}

/** The Conversations view in its initial state, in a window that hasn't started any. */
function conversationsView(
  parts: typeof HostParts,
  session: HostParts.SessionStore,
  model: HostParts.ServiceModel,
) {
  const store = { get: () => undefined, update: () => Promise.resolve() };
  const arrangement = new parts.Arrangement(store, '');
  const marks = new parts.ReadMarks(store, String, () => 0);
  const shelf = new parts.Shelf(store, String);
  const attempts = new parts.Attempts(store, String);
  const starts = new parts.StartTasks({
    read: () => undefined,
    write: () => undefined,
    newId: () => '',
    now: () => 0,
    wait: () => Promise.resolve(),
    describe: String,
  });
  const others = {
    waiting: [],
    shown: undefined,
    setVisible: () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const connections = () => [];
  return parts.conversationsView({
    ...{ session, model, arrangement, starts, marks, shelf, attempts, others, connections },
  });
}
