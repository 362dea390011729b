import type { RecordedRequest } from '../../service/recorder';
import type { UiSuite } from '../../support/ui';

/** The latest request that the service has had. */
export const lastRequest = ({ service }: Pick<UiSuite, 'service'>) => service.requests.at(-1)?.id ?? 0;

const paths = {
  sandboxes: /\/sandboxes\/search$/,
  'app-conversations': /\/app-conversations(\/search)?$/,
};

/** The next good answer to a request for a list, in either generation, that was made after the one with the id `after`. */
export function listed(
  ui: Pick<UiSuite, 'service'>,
  list: keyof typeof paths,
  after = lastRequest(ui),
): Promise<RecordedRequest> {
  return ui.service.waitForRequest(
    ({ method, path, status }) => method === 'GET' && paths[list].test(path) && status === 200,
    { after },
  );
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
