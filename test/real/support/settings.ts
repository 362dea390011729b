import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SettingsBody } from '../../../src/api/service/schemas/settings';
import { plainFields, type PlainField, type PlainValues } from '../../../src/shared/settings';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { safeguards } from '../../unit/core/settings/safeguards';
import { values } from '../../unit/settings/values';
import { knownClient, real, realClient } from './suite';

/** The secrets in `filled`, by field. */
export const secrets = { llm_api_key: 'llm-secret', search_api_key: 'search-secret' };

/** The plain fields that the release has. */
export function fieldsHeld(): PlainField[] {
  const { lacks } = knownClient().abilities({});
  return plainFields.filter((field) => !lacks.includes(field));
}

/** Settings with these values in the fields that the release has, and MCP servers of all kinds. */
export const filled = (fields: PlainValues = values): SettingsBody => ({
  ...Object.fromEntries(fieldsHeld().map((field) => [field, fields[field]])),
  ...secrets,
  // The client doesn’t know this field; the current generation has it elsewhere.
  ...(real().release.generation === 'first' && { condenser_max_size: 77 }),
  mcp_config: {
    sse_servers: [{ url: 'https://sse.example.com', api_key: 'sse-key' }],
    stdio_servers: [
      { name: 'fetch', command: 'uvx', args: ['mcp-server-fetch', 'a b'], env: { TOKEN: 'env-secret' } },
    ],
    shttp_servers: [{ url: 'https://one.example.com/mcp', api_key: 'one-key', timeout: 30 }],
  },
});

/** Replaces all settings of the service; by default with a value in every field. */
export async function holdSettings(body: SettingsBody = filled()): Promise<void> {
  const { service, release } = real();
  await service.forgetSettings();
  // The first generation reports this as on, but stores it only once it’s posted.
  const more = release.generation === 'first' ? { v1_enabled: true } : {};
  const client = realClient();
  // A client detects the generation on its first read.
  await client.getSettings().catch(() => undefined);
  await client.postSettings({ ...body, ...more });
}

/** Opens a form in a window that hasn’t seen settings of the service before. */
export const openDocument = (): Promise<SettingsDocument> =>
  SettingsDocument.load(realClient(), safeguards());

/** The content of a file in the service’s state. */
export async function onDisk(name: 'settings.json' | 'secrets.json' = 'settings.json'): Promise<unknown> {
  return JSON.parse(await readFile(path.join(real().service.folder, name), 'utf8')) as unknown;
}

/** The settings as the client reads them, and as the service stores them. */
export async function settingsNow(): Promise<{ read: unknown; disk: unknown }> {
  return { read: await realClient().getSettings(), disk: await onDisk() };
}

/** The values that differ between two records, by path, as [before, after]. */
export function differences(before: unknown, after: unknown): Record<string, [unknown, unknown]> {
  const [was, is] = [leaves(before), leaves(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return Object.fromEntries(
    paths
      .filter((place) => was.get(place) !== is.get(place))
      .map((place): [string, [unknown, unknown]] => [place, [was.get(place), is.get(place)]]),
  );
}

/** Asserts that a single value of the file changed, wherever it’s kept. */
export function assertOneChange(before: unknown, after: unknown, was: unknown, is: unknown): void {
  assert.deepEqual(Object.values(differences(before, after)), [[was, is]], 'the one change on disk');
}

function leaves(value: unknown, place = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[place, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, member]) => [
      ...leaves(member, place === '' ? name : `${place}.${name}`),
    ]),
  );
}
