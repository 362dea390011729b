import { plainText } from '../../../shared/plainText';
import type { MoreControl, MoreField } from '../../../shared/moreFields';
import type { DescribedField } from '../schemas/formSchema';
import { isMasked } from '../schemas/secret';
import { diffNames, mcpPath, placed } from './places';

/** What the service describes beyond the fields of the form. */
export interface MoreFields {
  fields: MoreField[];
  /** Labels of what can't be edited as one value, is a secret, or says where secrets go. */
  elsewhere: string[];
}

/** Far more than any release has: a wrong answer must not fill the form. */
const mostFields = 500;
const longestLabel = 100;
const longestHelp = 1_000;
const longestText = 1_000;
const mostChoices = 100;

/** Never sent: changing a kind, such as that of the agent or the condenser, resets the fields beside it. */
const untouchable = /^(mcp_config|schema_version|v1_enabled|(.*_)?kind)$/;

/** A member's name; `morePath` also excludes those that every object has. */
const memberName = /^[a-z][a-z0-9_]*$/;

/** Parts of names of texts that are secrets or say where secrets go, whatever the service says about them. */
const sensitive = /(^|_)(key|token|secret|password|credentials?|url|uri|endpoint|host|proxy|headers?)(_|$)/;

/**
 * The member at a path such as `agent_settings.llm.temperature`, as names; undefined for one that no save may contain:
 * what has a field of the form or is protected, and what's at the top of the record, which the service doesn't check.
 */
export function morePath(path: string): readonly string[] | undefined {
  const [root = '', ...names] = path.split('.');
  const isOpen =
    Object.hasOwn(diffNames, root) &&
    names.length > 0 &&
    names.every((name) => memberName.test(name) && !(name in Object.prototype) && !untouchable.test(name));
  return isOpen && fieldAt(path) === undefined ? [root, ...names] : undefined;
}

/** What may be sent at such a path: no mask, which the service would store or take for an order to clear. */
export function isMoreValue(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length <= longestText && !isMasked(value) && value !== '<redacted>';
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

/** The field of the form at a path. */
function fieldAt(path: string): string | undefined {
  return placed.find(([, place]) => place.path.join('.') === path)?.[0];
}

/**
 * The described fields that the form doesn't have.
 * @param root the object of the record that they are in
 * @param agentKind the kind of agent of the record: fields of other kinds are left out
 */
export function moreFieldsOf(
  described: readonly DescribedField[],
  root: string,
  agentKind: string,
): MoreFields {
  const more: MoreFields = { fields: [], elsewhere: [] };
  const seen = new Set<string>([mcpPath.join('.')]);
  for (const field of described) {
    const path = `${root}.${field.key}`;
    const isOther = (field.variant ?? agentKind) !== agentKind;
    if (isOther || seen.has(path) || fieldAt(path) !== undefined || seen.size > mostFields) continue;
    seen.add(path);
    const control = morePath(path) && controlOf(field);
    if (control === undefined) more.elsewhere.push(plainText(field.label, longestLabel));
    else more.fields.push(fieldOf(field, path, root, control));
  }
  return more;
}

function controlOf({ key, secret, choices, value_type }: DescribedField): MoreControl | undefined {
  const name = key.split('.').at(-1) ?? '';
  if (secret === true) return undefined;
  switch (value_type) {
    case 'integer':
      return 'wholeNumber';
    case 'number':
      return 'amount';
    case 'boolean':
      return 'flag';
    case 'string':
      if ((choices ?? []).length > 0)
        return choices?.every(({ value }) => typeof value === 'string') ? 'choice' : undefined;
      return sensitive.test(name) ? undefined : 'text';
    default:
      return undefined;
  }
}

function fieldOf(field: DescribedField, path: string, root: string, control: MoreControl): MoreField {
  const choices = (field.choices ?? []).slice(0, mostChoices).map(({ value, label }) => ({
    value: String(value),
    label: plainText(label, longestLabel),
  }));
  return {
    path,
    label: plainText(field.label, longestLabel) || path,
    help: plainText(field.description ?? '', longestHelp),
    group: plainText(field.section_label, longestLabel),
    control,
    choices: control === 'choice' ? choices : [],
    default: field.default ?? null,
    isProminent: field.prominence === 'critical' || field.prominence === 'major',
    dependsOn: (field.depends_on ?? []).map((key) => fieldAt(`${root}.${key}`) ?? `${root}.${key}`),
  };
}
