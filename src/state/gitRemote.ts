/** Git providers that a conversation can name (`git_provider`). */
export type GitProvider = 'github' | 'gitlab' | 'bitbucket';

/** A repository as the service wants it: `owner/name`, and the provider where the host tells it. */
export interface RemoteRepository {
  /** `owner/name`; GitLab's groups may nest. */
  repository: string;
  provider: GitProvider | undefined;
}

/**
 * Reads a remote's address in any of git's forms: `https://host/owner/name.git`, `ssh://git@host:22/owner/name` and
 * `git@host:owner/name.git`. Undefined for local paths and for addresses without an owner.
 */
export function parseRemote(address: string): RemoteRepository | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)([^\s]+)$/.exec(address);
  const url = scp
    ? undefined
    : /^(?:https?|ssh|git):\/\//.test(address) && URL.canParse(address)
      ? new URL(address)
      : undefined;
  // A one-letter host is a Windows drive.
  const host = scp?.[1] !== undefined && scp[1].length > 1 ? scp[1] : url?.hostname;
  const path = (scp?.[2] ?? url?.pathname ?? '').replace(/^\/+|\/+$|\.git\/*$/g, '').replace(/\.git$/, '');
  if (host === undefined || !/^[^/\s]+(?:\/[^/\s]+)+$/.test(path)) return undefined;
  return { repository: path, provider: providerOf(host) };
}

/** The provider that a host belongs to, told by its name as companies name their own: `gitlab.example.com`. */
function providerOf(host: string): GitProvider | undefined {
  const providers: GitProvider[] = ['github', 'gitlab', 'bitbucket'];
  return providers.find((provider) => host.toLowerCase().split('.').includes(provider));
}
