import { sectionLabel, sections, type Section } from '../../../shared/fields';
import type { McpServer } from '../../../shared/mcp';
import {
  fieldHelp,
  fieldLabel,
  fieldSection,
  plainFields,
  secretFields,
  type PlainField,
  type SecretField,
} from '../../../shared/settings';

/** What the search over the form leaves on the page. */
export interface FoundControls {
  field: (field: PlainField | SecretField) => boolean;
  /** Something that is listed in `section`, by the texts it can be found by. */
  item: (section: Section, ...texts: readonly string[]) => boolean;
}

const everything: FoundControls = { field: () => true, item: () => true };

/**
 * Every word must be in a field's label, help or wire name. A section whose title has the words shows everything,
 * unless they're also about some of its fields.
 */
export function foundBy(search: string): FoundControls {
  const words = search
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== '');
  if (words.length === 0) return everything;
  const has = (...texts: readonly string[]) => {
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const fields = new Set(
    [...plainFields, ...secretFields].filter((field) => has(fieldLabel(field), fieldHelp(field), field)),
  );
  const named = new Set(
    sections.filter(
      (section) => has(sectionLabel(section)) && !fieldsIn(section).some((field) => fields.has(field)),
    ),
  );
  return {
    field: (field) => fields.has(field) || named.has(fieldSection(field)),
    item: (section, ...texts) => named.has(section) || has(...texts),
  };
}

/** True where a search hides rows of servers, so that their neighbors are not all on the page. */
export function isNarrowed({ search, filter }: Readonly<Record<'search' | 'filter', string>>): boolean {
  return search.trim() !== '' || filter.trim() !== '';
}

/** The editable fields of each section, plain ones first. */
export function fieldsIn(section: Section): (PlainField | SecretField)[] {
  return [...plainFields, ...secretFields].filter((field) => fieldSection(field) === section);
}

/** What a server is found by: what identifies it and how it is started. */
export function serverText({
  kind,
  url,
  name,
  command,
  args,
}: Pick<McpServer, 'kind' | 'url' | 'name' | 'command' | 'args'>): string {
  return kind === 'stdio' ? [name, command, ...args].join(' ') : url;
}
