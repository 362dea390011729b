import type { GitProvider } from '../shared/gitProviders';
import { repositoryName } from '../shared/repositoryName';
import { isAmbiguous, parseUrl } from '../shared/url';

/** A repository as the service expects it: `owner/name`, and the provider if the address gives it away. */
export interface RemoteRepository {
  /** `owner/name`; on GitLab, groups can nest, and Azure DevOps has a project in between. */
  repository: string;
  provider: GitProvider | undefined;
}

/** The same from the address of a page, which may be about a branch. */
export interface TypedRepository extends RemoteRepository {
  branch?: string;
}

/** The parts of an address that identify a repository. */
interface Place {
  host: string;
  port: string;
  user: string;
  /** Decoded, none empty. */
  segments: readonly string[];
}

/**
 * Reads the address of a remote in any of git's forms: `https://host:8443/owner/name.git`, `ssh://git@host:22/owner/name` and
 * `git@host:owner/name.git`. Undefined for local paths and for addresses without an owner.
 */
export function parseRemote(address: string): RemoteRepository | undefined {
  const place = placeOf(address);
  if (!place) return undefined;
  if (isUnknown(place)) return undefined;
  const azure = azureRepository(place);
  if (azure || isAzure(place.host)) return azure;
  return bitbucketRepository(place) ?? otherRepository(place);
}

/** Hosts of snippets, files, and editors, and of repositories that have no owner: no service knows what they name. */
const isUnknown = ({ host }: Place) =>
  /^(?:gist|git-codecommit)\.|^(?:raw\.githubusercontent\.com|(?:insiders\.)?vscode\.dev|source\.developers\.google\.com)$/.test(
    host,
  );

/** Reads what people type or paste for a repository: `owner/name`, a remote's address, or that of a page about it. */
export function repositoryFrom(text: string): TypedRepository | undefined {
  const isWeb = /^https?:\/\//i.test(text);
  const place = isWeb ? placeOf(text) : placeOf(`https://${text}`);
  if (place && (isWeb || startsWithHost(place))) return ofPage(place);
  const isName = repositoryName.test(text) && !/(?:^|\/)\.{1,2}(?:\/|$)|[#?]/.test(text);
  return parseRemote(text) ?? (isName ? named([text], undefined) : undefined);
}

/**
 * Whether two addresses lead to one repository of one host, however they’re written. How to sign in there doesn’t matter.
 */
export function isSameRemote(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => {
    const host = placeOf(address)?.host.replace(/^(?:alt)?(?:ssh|www)\./, '') ?? '';
    const repository = parseRemote(address)?.repository.toLowerCase();
    return repository && `${isAzure(host) ? '' : host} ${repository}`;
  });
  return first !== undefined && first === second;
}

function placeOf(address: string): Place | undefined {
  // An IPv6 address, or a host with its port, is in brackets; two colons follow the name of a helper.
  const scp =
    /^(?:\[(?:[^@/\s[\]]+@)?([^@/\s[\]]+)\]|(?:[^@/\s]+@)?(?:\[([^/\s[\]]+)\]|([^:/\s[\]]+))):(?!\/\/|:)([^\s]+)$/.exec(
      address,
    );
  const bracketed = scp?.[1] ?? scp?.[2];
  const isUrl = /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\//i.test(address);
  const url = isUrl && !scp && !isAmbiguous(address) ? parseUrl(address) : undefined;
  // A one-letter host is a Windows drive.
  const named = scp?.[3] !== undefined && scp[3].length > 1 ? scp[3] : url?.hostname;
  const [, inBrackets, port] = /^([^:]+):(\d+)$/.exec(bracketed ?? '') ?? [];
  const host = inBrackets ?? bracketed ?? named;
  if (host === undefined) return undefined;
  const segments = decoded(scp?.[4] ?? url?.pathname ?? '');
  return (
    segments && {
      host: host.toLowerCase(),
      port: port ?? url?.port ?? '',
      user: url?.username ?? '',
      segments,
    }
  );
}

function decoded(path: string): string[] | undefined {
  try {
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment));
    const isOdd = (segment: string) => /^(?:\.\.?|~)$/.test(segment) || /[/\p{C}]/u.test(segment);
    return segments.some(isOdd) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** Whether the address without a scheme begins with a host: its name gives a provider away, or it looks like one. */
function startsWithHost({ host, port, segments }: Place): boolean {
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(host)) return false;
  if (/\.(?:com|org)$/.test(host) && (providerOf(host) !== undefined || isAzure(host))) return true;
  return segments.length >= 2 && (port !== '' || /\.[a-z]{2,}$/.test(host));
}

/** Two names at most, of which nothing is left out. */
function named(segments: readonly string[], provider: GitProvider | undefined): RemoteRepository | undefined {
  const repository = segments.join('/').replace(/\.git$/i, '');
  return repositoryName.test(repository) ? { repository, provider } : undefined;
}

const isAzure = (host: string) => /(?:^|\.)(?:dev\.azure|visualstudio)\.com$/.test(host);

/**
 * A repository of Azure DevOps, as `organization/project/repository`. Its web addresses have `_git` before the
 * repository, and leave out a project of the same name; those for SSH begin with a version.
 */
function azureRepository({ host, user, segments }: Place): RemoteRepository | undefined {
  const at = segments.findIndex((segment) => segment === '_git' || segment === '_ssh');
  const [version = '', ...rest] = segments;
  if (at < 0) {
    const isSsh = /^(?:ssh\.dev\.azure|vs-ssh\.visualstudio)\.com$/.test(host) && /^v\d+$/.test(version);
    return isSsh && rest.length === 3 ? named(rest, 'azure_devops') : undefined;
  }
  const after = segments.slice(at + 1).filter((segment) => !/^_(?:full|optimized)$/.test(segment));
  const name = after[0];
  const account = /^([^.]+)\.visualstudio\.com$/.exec(host)?.[1];
  // Its own host for SSH doesn’t tell the organization.
  const own = account === 'vs-ssh' ? user : account;
  const above = own === undefined ? segments.slice(0, at) : [own, ...segments.slice(0, at)];
  const places = own !== undefined && above[1] === 'DefaultCollection' ? [own, ...above.slice(2)] : above;
  if (name === undefined || places.length === 0) return undefined;
  const [organization = '', project = name] =
    places.length === 1 || host === 'dev.azure.com' || own !== undefined ? places : places.slice(-2);
  return named([organization, project, name], 'azure_devops');
}

const isBitbucketCloud = (host: string) => host === 'bitbucket.org' || host.endsWith('.bitbucket.org');

/**
 * A repository of Bitbucket Data Center, recognized by the form of its addresses, since companies name their hosts
 * freely.
 */
function bitbucketRepository({ host, port, segments }: Place): RemoteRepository | undefined {
  const provider = providerOf(host);
  if (isBitbucketCloud(host) || (provider && provider !== 'bitbucket_data_center')) return undefined;
  const scm = segments.indexOf('scm');
  if (scm >= 0 && scm === segments.length - 3) return named(segments.slice(scm + 1), 'bitbucket_data_center');
  return port === '7999' ? named(segments, 'bitbucket_data_center') : undefined;
}

const otherRepository = ({ host, segments }: Place) => named(segments, providerOf(host));

/** The provider of a host, by its name; companies name their own hosts like `gitlab.example.com`. */
function providerOf(host: string): GitProvider | undefined {
  const labels = host.split('.');
  if (labels.includes('bitbucket')) return isBitbucketCloud(host) ? 'bitbucket' : 'bitbucket_data_center';
  if (labels.includes('codeberg')) return 'forgejo';
  return (['github', 'gitlab', 'forgejo'] as const).find((provider) => labels.includes(provider));
}

/** Parts of the addresses of pages that follow `owner/name`, and are followed by what they're about. */
const pageWords = new Set([
  ...[
    'tree',
    'blob',
    'blame',
    'raw',
    'edit',
    'commit',
    'commits',
    'src',
    'pull',
    'pulls',
    'issues',
    'compare',
  ],
  ...['pull-requests', 'merge_requests', 'pullrequest', 'actions', 'releases', 'branch', 'branches', 'wiki'],
]);

/** Parts after which the name of a branch follows. */
const branchWords = new Set(['tree', 'src', 'branch']);

/** The repository that a page is about; undefined if the address doesn't say. */
function ofPage(place: Place): TypedRepository | undefined {
  if (isUnknown(place)) return undefined;
  const azure = azureRepository(place);
  if (azure) return azure;
  const { host, segments } = place;
  const dataCenter = dataCenterPage(segments);
  if (dataCenter) return dataCenter;
  const bitbucket = bitbucketRepository(place);
  if (bitbucket) return bitbucket;
  const provider = providerOf(host);
  const dash = segments.indexOf('-');
  if (dash >= 2 && (provider === undefined || provider === 'gitlab'))
    return withBranch(segments.slice(0, dash), segments.slice(dash + 1), provider ?? 'gitlab');
  const isFlat = provider !== undefined && provider !== 'gitlab';
  const word = segments.findIndex(
    (segment, index) => index >= 2 && pageWords.has(segment) && (isFlat || index < segments.length - 1),
  );
  if (isFlat && segments.length > 2 && word !== 2) return undefined;
  return word < 0
    ? otherRepository(place)
    : withBranch(segments.slice(0, word), segments.slice(word), provider);
}

/** `/projects/KEY/repos/name/…` and `/users/name/repos/name/…` */
function dataCenterPage(segments: readonly string[]): RemoteRepository | undefined {
  const at = segments.indexOf('repos');
  const [kind, owner, name] = [segments[at - 2], segments[at - 1], segments[at + 1]];
  if (at < 2 || owner === undefined || name === undefined) return undefined;
  if (kind === 'projects') return named([owner, name], 'bitbucket_data_center');
  return kind === 'users' ? named([`~${owner}`, name], 'bitbucket_data_center') : undefined;
}

/** A branch is only recognized if nothing else can follow its name, which may contain slashes. */
function withBranch(
  repository: readonly string[],
  [word = '', ...rest]: readonly string[],
  provider: GitProvider | undefined,
): TypedRepository | undefined {
  const found = named(repository, provider);
  const about = word === 'src' && rest[0] === 'branch' ? rest.slice(1) : rest;
  const [branch] = about;
  const isBranch = branchWords.has(word) && about.length === 1 && branch !== undefined;
  return found && isBranch ? { ...found, branch } : found;
}
