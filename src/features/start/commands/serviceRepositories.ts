import type { ApiClient } from '../../../api/service/client';
import { repositoryName } from '../../../shared/repositoryName';
import { gitProviders, type GitProvider } from '../../../shared/gitProviders';
import type { RemoteRepository } from '../../../core/remoteAddress';

type Client = Pick<ApiClient, 'getSettings' | 'repositories'>;

/**
 * The repositories at the git providers that the service has tokens for; none from a service that lists none. They only
 * save typing, so what can’t be read is left out.
 */
export async function serviceRepositories(client: Client, signal: AbortSignal): Promise<RemoteRepository[]> {
  const { repositories } = client;
  if (!repositories) return [];
  const settings = await client.getSettings(signal).catch(() => undefined);
  const providers = Object.keys(settings?.provider_tokens_set ?? {});
  const lists = await Promise.all(
    providers.map((provider) => repositories.searchRepositories(provider, signal).catch(() => [])),
  );
  return lists
    .flat()
    .filter(({ full_name }) => repositoryName.test(full_name))
    .map(({ full_name, git_provider }) => ({
      repository: full_name,
      provider: gitProviders.find((known) => known === git_provider),
    }));
}

/** The branches of a repository; none if the service can't list them. */
export async function serviceBranches(
  client: Client,
  { repository, provider }: { repository?: string | undefined; provider?: GitProvider | undefined },
  signal: AbortSignal,
): Promise<string[]> {
  const { repositories } = client;
  if (!repositories || repository === undefined || provider === undefined) return [];
  return repositories.searchBranches(provider, repository, signal).catch(() => []);
}
