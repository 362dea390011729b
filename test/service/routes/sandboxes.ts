import { ok, type Route } from '../http';
import type { Context } from './context';

/** Sandboxes and sandbox specs. */
export function sandboxRoutes({ profile, state, sandboxes, behaviour, clock }: Context): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/sandboxes/search',
      handle: ({ query }) => profile.list(profile.order(state.sandboxes.values()), profile.sandbox, query),
    },
    {
      method: 'POST',
      path: '/api/v1/sandboxes',
      async handle({ query }) {
        const sandbox = sandboxes.start(query.get('sandbox_spec_id') ?? undefined);
        if (!sandbox) return profile.noSuchSpec();
        if (behaviour.delays.startAnswer > 0) await clock.wait(behaviour.delays.startAnswer);
        return ok(profile.sandbox(sandbox));
      },
    },
    ...(['pause', 'resume'] as const).map((verb): Route => ({
      method: 'POST',
      path: `/api/v1/sandboxes/:sandbox_id/${verb}`,
      handle: ({ params }) =>
        sandboxes[verb](params['sandbox_id'] ?? '') ? ok(profile.done.sandbox) : profile.noSuchItem(),
    })),
    {
      method: 'GET',
      path: '/api/v1/sandbox-specs/search',
      handle: ({ query }) => profile.list(state.specs.values(), profile.spec, query),
    },
  ];
}
