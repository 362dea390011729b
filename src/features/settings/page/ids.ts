import type { Section } from '../../../shared/fields';
import type { Problem } from '../shared/messages';
import type { PlainField, SecretField } from '../../../shared/settings';

/** A control that the page can go to. */
export type GoTo = Problem['target'] | { at: 'conflict'; key: string };

/** Ids of elements. Names from the service are encoded: a space would split a list of ids. */
export const sectionId = (section: Section) => `section-${section}`;
export const fieldId = (field: PlainField | SecretField) => `field-${field}`;
export const serverId = (id: string, part: string) => `mcp-${encodeURIComponent(id)}-${part}`;
export const moreId = (path: string) => `more-${encodeURIComponent(path)}`;
export const saveId = 'save';
export const statusId = 'status';
export const searchId = 'search';
export const addServerId = 'add-server';
export const parkedId = (id: string, part: string) => `parked-${encodeURIComponent(id)}-${part}`;
export const newProviderId = 'new-provider';
export const providerId = (name: string, part: string) => `provider-${encodeURIComponent(name)}-${part}`;
export const conflictId = (key: string, part: string) => `conflict-${encodeURIComponent(key)}-${part}`;

export const offerId = (id: string, part: string) => `draft-${encodeURIComponent(id)}-${part}`;

/** The control to go to for a problem. */
export function targetId(target: GoTo): string {
  switch (target.at) {
    case 'field':
      return fieldId(target.field);
    case 'mcp':
      return serverId(target.id, target.member);
    case 'more':
      return moreId(target.path);
    case 'conflict':
      return conflictId(target.key, 'mine');
    case 'form':
      return saveId;
  }
}
