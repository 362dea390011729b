import * as z from 'zod/mini';
import { someText } from '../../../shared/bounded';
import { searchParams } from '../../http/query';
import type { Transport } from '../../http/transport';
import { maybe } from '../../lenient';
import { pageOf } from '../../page';
import { isMissing } from '../calls';

const repositorySchema = z.object({
  /** `owner/name`. */
  full_name: someText,
  git_provider: maybe(z.string()),
  main_branch: maybe(z.string()),
});
/** A repository that the service can reach with the user’s token. */
type ServiceRepository = z.infer<typeof repositorySchema>;

const branchSchema = z.object({ name: someText });

/** Repositories of the user’s git providers, which services of the current generation list. */
export interface RepositoryCalls {
  /**
   * `GET /api/v1/git/repositories/search`: the user’s repositories at a provider, the last pushed first, 100 at most. An
   * error of reason `forbidden` without any token, `serverError` without one for this provider.
   */
  searchRepositories(provider: string, signal?: AbortSignal): Promise<ServiceRepository[]>;
  /** `GET /api/v1/git/branches/search`: names of branches, 100 at most. Errors as above. */
  searchBranches(provider: string, repository: string, signal?: AbortSignal): Promise<string[]>;
}

/** The calls for repositories. */
export function repositoryCalls(transport: Transport): RepositoryCalls {
  const search = async <T>(
    route: string,
    schema: z.ZodMiniType<T>,
    query: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<T[]> => {
    const page = await transport.request(
      {
        method: 'GET',
        route,
        query: searchParams({ ...query, limit: 100 }),
        read: pageOf(schema),
        elements: 'items',
        expects: isMissing,
      },
      signal,
    );
    return page.items;
  };
  return {
    searchRepositories: (provider, signal) =>
      search('/api/v1/git/repositories/search', repositorySchema, { provider }, signal),
    searchBranches: async (provider, repository, signal) => {
      const query = { provider, repository, query: '' };
      const branches = await search('/api/v1/git/branches/search', branchSchema, query, signal);
      return branches.map(({ name }) => name);
    },
  };
}
