import { Invalid, missing, ok, type Route } from '../http';
import type { Context } from './context';

/** Sandboxes and sandbox specs. */
export function sandboxRoutes({ profile, state, sandboxes, behaviour, clock }: Context): Route[] {
  const byId: Route = {
    method: 'GET',
    path: '/api/v1/sandboxes',
    handle({ query }) {
      const ids = query.getAll('id');
      if (ids.length === 0) throw new Invalid([missing(['query', 'id'], null)]);
      const found = ids.map((id) => state.sandboxes.get(id));
      return ok(found.map((sandbox) => (sandbox ? profile.sandbox(sandboxes.read(sandbox)) : null)));
    },
  };
  const remove: Route = {
    method: 'DELETE',
    path: '/api/v1/sandboxes/:id',
    handle({ query }) {
      const id = query.get('sandbox_id');
      if (id === null) throw new Invalid([missing(['query', 'sandbox_id'], null)]);
      return sandboxes.remove(id) ? ok(profile.done.sandbox) : profile.noSuchItem();
    },
  };
  return [
    {
      method: 'GET',
      path: '/api/v1/sandboxes/search',
      handle: ({ query }) =>
        profile.list(
          profile.order(state.sandboxes.values()),
          (sandbox) => profile.sandbox(sandboxes.read(sandbox)),
          query,
        ),
    },
    {
      method: 'POST',
      path: '/api/v1/sandboxes',
      async handle({ query }) {
        const awaits = profile.awaitsSandbox();
        const specId = query.get('sandbox_spec_id') ?? undefined;
        const started = sandboxes.start(awaits ? 'ERROR' : 'STARTING', specId);
        if (!started) return profile.noSuchSpec();
        if (awaits && !(await started.ended)) return profile.startFailed();
        if (!awaits && behaviour.delays.startAnswer > 0) await clock.wait(behaviour.delays.startAnswer);
        return ok(profile.sandbox(started.sandbox));
      },
    },
    ...(profile.beyondSpecification ? [byId, remove] : []),
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
