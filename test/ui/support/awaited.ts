import type { RecordedRequest } from '../../service/recorder';
import type { UiSuite } from '../../support/ui';

/** The latest request that the service has had. */
export const lastRequest = ({ service }: Pick<UiSuite, 'service'>) => service.requests.at(-1)?.id ?? 0;

const listPaths = {
  sandboxes: /\/sandboxes\/search$/,
  'app-conversations': /\/app-conversations(\/search)?$/,
};

/** The next good answer to a request for a list, in either generation, that was made after the one with the id `after`. */
export function listed(
  ui: Pick<UiSuite, 'service'>,
  list: keyof typeof listPaths,
  after = lastRequest(ui),
): Promise<RecordedRequest> {
  return ui.service.waitForRequest(
    ({ method, path, status }) => method === 'GET' && listPaths[list].test(path) && status === 200,
    { after },
  );
}

/** Changes what the service has once `refresh` has asked for both lists and before either is answered, so that both tell. */
export async function changeBetween(
  { service }: Pick<UiSuite, 'service'>,
  refresh: () => Promise<void>,
  change: () => void,
): Promise<void> {
  const paths = Object.values(listPaths);
  const held = service.fail({
    when: ({ method, path }) => method === 'GET' && paths.some((list) => list.test(path)),
    times: 'always',
    effect: { kind: 'stallBeforeHeaders' },
  });
  try {
    const asked = paths.map((list) =>
      service.waitForRequest(({ method, path }) => method === 'GET' && list.test(path), { phase: 'arrived' }),
    );
    await refresh();
    await Promise.all(asked);
    change();
  } finally {
    held.release();
  }
}

/** Waits until the editor has written a setting to the user's file. */
export async function settingWritten(
  { editor, workbench }: Pick<UiSuite, 'editor' | 'workbench'>,
  name: string,
  value: unknown,
): Promise<void> {
  // The editor may be writing the file just then.
  const written = () => editor.readSettings().catch((): Record<string, unknown> => ({}));
  while ((await written())[name] !== value) await workbench.page.waitForTimeout(50);
}
