import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { formEdits, type FormEdits, type FormModel } from '../shared/form';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { plainFields, secretFields } from '../../../shared/settings';
import { canonical } from './json';
import { moreValues, withMore } from './moreSettings';

const storedDraft = z.strictObject({
  version: z.literal(1),
  /** ISO 8601. */
  savedAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  /** `fingerprint` of the model that the edits were made on. */
  fingerprint: z.string(),
  edits: formEdits,
  /** The part of the service's settings that the edits are based on. */
  base: z.omit(formEdits, { secrets: true }),
  dropped: z.array(z.string()),
});

/** Unsaved edits kept after the window closes. Contains no secrets; `dropped` names those that were typed. */
export type StoredDraft = z.infer<typeof storedDraft>;

/** Makes a draft of the edits to `model`. */
export function makeDraft(model: FormModel, edits: FormEdits, now: Date): StoredDraft {
  const values = Object.fromEntries(
    plainFields.filter((field) => field in edits.values).map((field) => [field, model.values[field]]),
  );
  const { more: edited = {} } = edits;
  const held = Object.entries(moreValues(model.more));
  const more = Object.fromEntries(held.filter(([path]) => Object.hasOwn(edited, path)));
  const { kept, dropped } = withoutTyped(edits);
  return {
    version: 1,
    savedAt: now.toISOString(),
    fingerprint: fingerprint(model),
    edits: kept,
    base: withMore({ values, mcpServers: edits.mcpServers === null ? null : model.mcpServers }, more),
    dropped,
  };
}

/** Reads a stored draft; undefined if it's unreadable. */
export function parseDraft(stored: unknown): StoredDraft | undefined {
  const parsed = storedDraft.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

/** Identifies a state of the service, as far as the form shows it. */
export function fingerprint(model: FormModel): string {
  const servers = model.mcpServers.map(({ id: _id, ...server }) => server);
  return createHash('sha256')
    .update(canonical({ ...model, mcpServers: servers }))
    .digest('hex');
}

/** The edits without replacements of secrets, whose typed values are lost. */
export function withoutTyped(edits: FormEdits): { kept: FormEdits; dropped: string[] } {
  const dropped: string[] = secretFields.filter((field) => edits.secrets[field] === 'replace');
  const cleared = secretFields.filter((field) => edits.secrets[field] === 'clear');
  const servers = edits.mcpServers?.map((server): McpServer => {
    const keep = <S extends McpServer['apiKey']>(secret: S, name: string): S => {
      if (secret.intention !== 'replace') return secret;
      dropped.push(`${mcpLabel(server)}: ${name}`);
      return { ...secret, intention: 'keep' };
    };
    return {
      ...server,
      apiKey: keep(server.apiKey, 'api_key'),
      env: server.env.map((entry) => keep(entry, `env.${entry.name}`)),
    };
  });
  const secrets = Object.fromEntries(cleared.map((field) => [field, 'clear'] as const));
  const kept = withMore({ values: edits.values, secrets, mcpServers: servers ?? null }, edits.more ?? {});
  return { kept, dropped };
}
