import type { FormEdits } from '../../shared/form';
import type { FormHost } from './formHost';
import { editsOn, isEmpty } from './openForm';

/**
 * Carries edits over from the reading that a refresh has just replaced: they were typed while the new one was on its way
 * to the page. False if they are on another reading.
 */
export function carryOver(host: FormHost, key: string, edits: FormEdits): boolean {
  const { open } = host;
  const replaced = open?.replaced;
  if (!open || replaced?.key !== key || !isEmpty(open.edits) || open.saving) return false;
  const carried = editsOn(open.document, { document: replaced.document, edits });
  open.notices = [...open.notices, ...carried.words];
  host.setEdits(carried.edits);
  host.show(open);
  return true;
}
