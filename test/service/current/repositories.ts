import { crashed, ok, type Answer, type Call, type Route } from '../http';
import type { State } from '../records';

/** Repositories of the git providers that have a token. */
export function repositoryRoutes(state: State): Route[] {
  const get = (path: string, items: (call: Call, provider: string) => unknown[]): Route => ({
    method: 'GET',
    path,
    handle(call): Answer {
      if (Object.keys(state.providerTokens).length === 0)
        return { status: 403, body: { detail: 'Git provider token required (such as GitHub).' } };
      const provider = call.query.get('provider') ?? '';
      if (state.providerTokens[provider] === undefined) return crashed();
      return ok({ items: items(call, provider), next_page_id: null });
    },
  });
  return [
    get('/api/v1/git/repositories/search', (_call, provider) =>
      state.repositories
        .filter(({ git_provider }) => git_provider === provider)
        .map(({ branches, ...shown }) => ({ id: shown.full_name, ...shown, main_branch: branches[0] })),
    ),
    get('/api/v1/git/branches/search', ({ query }, provider) =>
      state.repositories
        .filter((one) => one.git_provider === provider && one.full_name === query.get('repository'))
        .flatMap(({ branches }) => branches.map((name) => ({ name, commit_sha: '', protected: false }))),
    ),
  ];
}
