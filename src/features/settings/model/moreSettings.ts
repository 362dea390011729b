import { ApiError } from '../../../api/http/errors';
import { isMoreValue, type MoreFields } from '../../../api/service/current/moreFields';
import type { SavedChange, FormEdits } from '../shared/form';
import { isJsonObject, type Json, member, type JsonObject } from '../../../shared/json';
import type { MoreField, MoreSettings, MoreValue, MoreValues } from '../../../shared/moreFields';
import type { Abilities } from '../../../api/service/settingsCalls';
import type { SettingsClient } from './record';
import { isMineStanding, type Judge, valueWords } from './conflicts';

const nothing: MoreFields = { fields: [], elsewhere: [] };

/** How long the form waits for a description. Without one, only these fields are missing. */
const patienceMs = 5_000;

/** What the service describes beyond the form's own fields. Nothing if it can't be read: the rest works without. */
export async function readDescription(
  client: SettingsClient,
  { replaces }: Abilities,
  record: JsonObject,
  signal: AbortSignal | undefined,
): Promise<MoreFields> {
  if (replaces) return nothing;
  const kind = at(record, 'agent_settings.agent_kind');
  const late = AbortSignal.timeout(patienceMs);
  try {
    return await client.describeFields(
      typeof kind === 'string' ? kind : 'openhands',
      signal ? AbortSignal.any([signal, late]) : late,
    );
  } catch (error) {
    if (!(error instanceof ApiError) || signal?.aborted) throw error;
    return nothing;
  }
}

/** Such fields with their values in a record. A value that can't be edited as one is only named. */
export function moreSettings({ fields, elsewhere }: MoreFields, record: JsonObject): MoreSettings {
  const held = fields.map((field) => {
    const value = at(record, field.path);
    return { ...field, value: value === undefined ? field.default : value };
  });
  const isEditable = (field: MoreField & { value: Json }): field is MoreField & { value: MoreValue } =>
    isMoreValue(field.value) && typeof (field.value ?? typeOf(field)) === typeof typeOf(field);
  return {
    fields: held.filter(isEditable),
    elsewhere: [...elsewhere, ...held.filter((field) => !isEditable(field)).map(({ label }) => label)],
  };
}

/** A value of the type that the field has. */
function typeOf({ control }: MoreField): string | number | boolean {
  return { text: '', choice: '', wholeNumber: 0, amount: 0, flag: false }[control];
}

function at(record: JsonObject, path: string): Json | undefined {
  const names = path.split('.');
  return names.reduce<Json | undefined>(
    (value, name) => (isJsonObject(value) ? member(value, name) : undefined),
    record,
  );
}

/** Values of `settings` by path. */
export function moreValues({ fields }: MoreSettings): MoreValues {
  return Object.fromEntries(fields.map(({ path, value }) => [path, value]));
}

/** The user's values that the service doesn't have yet, unless the service's win: see `mergeValues`. */
export function mergeMore(
  mine: MoreValues = {},
  previous: MoreValues,
  { fields }: MoreSettings,
  judge: Judge,
): MoreValues {
  return Object.fromEntries(
    fields.flatMap(({ path, label, value: theirs }): [string, MoreValue][] => {
      const wanted = mine[path];
      if (wanted === undefined || wanted === theirs) return [];
      const sides = { mine: wanted, previous: previous[path] ?? null, theirs };
      return isMineStanding({ at: 'more', path }, label, sides, judge) ? [[path, wanted]] : [];
    }),
  );
}

/** Edits have such values only where there are any. */
export function withMore<Edits extends object>(
  edits: Edits,
  more: MoreValues,
): Edits & Pick<FormEdits, 'more'> {
  return Object.keys(more).length === 0 ? edits : { ...edits, more };
}

/** The user's values that no longer have a field, in words, so that they aren’t lost without a trace. */
export function unplacedMore(mine: MoreValues = {}, { fields }: MoreSettings): string[] {
  return Object.entries(mine)
    .filter(([path]) => !fields.some((field) => field.path === path))
    .map(([path, value]) => `${path}: ${valueWords(value)}`);
}

/** What a save would change of such fields. */
export function reviewMore(mine: MoreValues = {}, { fields }: MoreSettings): SavedChange[] {
  return fields.flatMap(({ path, label, value }): SavedChange[] => {
    const wanted = mine[path];
    if (wanted === undefined || wanted === value) return [];
    return [{ target: { at: 'more', path }, label, before: valueWords(value), after: valueWords(wanted) }];
  });
}
