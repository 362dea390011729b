import * as z from 'zod/mini';
import { caught } from '../../shared/caught';
import { organizationId, type Organization } from '../../shared/connection';
import { pageQuery } from '../http/query';
import type { Transport } from '../http/transport';
import { pageOf } from '../page';
import { isMissing } from './calls';

const organizationSchema = z.object({ id: organizationId, name: caught(z.string(), '') });

/** A page has up to 100; more pages than these can’t be picked from. */
const mostPages = 10;

/** Lists the user’s organizations. None if the service doesn’t know any; those that can’t be read are left out, as long as others can be. */
export async function listOrganizations(transport: Transport, signal?: AbortSignal): Promise<Organization[]> {
  const found = new Map<string, Organization>();
  let page: string | undefined;
  try {
    for (let pages = 0; pages < mostPages; pages += 1) {
      const query = pageQuery({ pageId: page, limit: 100 });
      const read = pageOf(organizationSchema, page);
      const { items, nextPageId } = await transport.request(
        { method: 'GET', route: '/api/organizations', query, expects: isMissing, read, elements: 'items' },
        signal,
      );
      for (const { id, name } of items) if (!found.has(id)) found.set(id, { id, name: name || id });
      if (nextPageId === null) break;
      page = nextPageId;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [...found.values()];
}
