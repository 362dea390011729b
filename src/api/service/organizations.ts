import * as z from 'zod/mini';
import { organizationId, type Organization } from '../../shared/connection';
import type { Transport } from '../http/transport';
import { isMissing } from './calls';

const organizationSchema = z.object({ id: organizationId, name: z.catch(z.string(), '') });
const pageSchema = z.object({
  items: z.array(z.unknown()),
  next_page_id: z.catch(z.nullish(z.union([z.string(), z.number()])), null),
});

/** A page has up to 100; more pages than these can’t be picked from. */
const mostPages = 10;

/** Lists the user’s organizations. None if the service doesn’t know any; those that can’t be read are left out. */
export async function listOrganizations(transport: Transport, signal?: AbortSignal): Promise<Organization[]> {
  const found = new Map<string, Organization>();
  let page: string | undefined;
  try {
    for (let pages = 0; pages < mostPages; pages += 1) {
      const query = new URLSearchParams({ limit: '100', ...(page !== undefined && { page_id: page }) });
      const { items, next_page_id: next } = await transport.request(
        {
          method: 'GET',
          route: '/api/organizations',
          query,
          expects: isMissing,
          read: (json) => pageSchema.safeParse(Array.isArray(json) ? { items: json } : json).data,
        },
        signal,
      );
      for (const item of items) {
        const { data } = organizationSchema.safeParse(item);
        if (data && !found.has(data.id)) found.set(data.id, { id: data.id, name: data.name || data.id });
      }
      if (next === null || next === undefined || String(next) === page) break;
      page = String(next);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [...found.values()];
}
