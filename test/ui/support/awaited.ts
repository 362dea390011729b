import type { Locator } from 'playwright-core';
import type { RecordedRequest } from '../../service/recorder';
import type { UiSuite } from '../../support/ui';
import { eventually } from '../../support/patience';

/** The ID of the service’s latest request. */
export const lastRequest = ({ service }: Pick<UiSuite, 'service'>) => service.requests.at(-1)?.id ?? 0;

const listPaths = {
  sandboxes: /\/sandboxes\/search$/,
  'app-conversations': /\/app-conversations(\/search)?$/,
};

/** Waits for the next successful request for a list after the request `after`, in either generation. */
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

/** Waits until the editor has written a setting to the user's file. */
export async function settingWritten(
  { editor }: Pick<UiSuite, 'editor'>,
  name: string,
  value: unknown,
): Promise<void> {
  // The editor may still be writing the file.
  const written = () => editor.readSettings().catch((): Record<string, unknown> => ({}));
  await eventually(
    async () => (await written())[name] === value,
    () => `the settings haven’t got ${name}`,
  );
}

/** Waits until a field has exactly this text. */
export function fieldHas(field: Locator, text: string): Promise<void> {
  return eventually(
    async () => (await field.inputValue()) === text,
    async () => `the field has: ${await field.inputValue()}`,
  );
}
