import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ruleSchema } from './faults';
import { patchSchema } from './patch';
import type { ReferenceService } from './service';

/** Path prefix for tests in another process to control the service. */
export const controlPrefix = '/__control';

const waitSchema = z.strictObject({
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  phase: z.optional(z.enum(['arrived', 'ended'])),
  after: z.optional(z.int()),
});
const resetSchema = z.strictObject({
  seed: z.optional(z.enum(['none', 'lifelike'])),
  sandboxes: z.optional(z.int().check(z.nonnegative())),
  conversations: z.optional(z.int().check(z.nonnegative())),
});
const showSchema = z.strictObject({
  sandbox: z.string(),
  status: z._default(z.string(), 'ERROR'),
  readings: z._default(z.int().check(z.positive()), 1),
});
const advanceSchema = z.strictObject({ ms: z.int().check(z.nonnegative()) });
const idSchema = z.strictObject({ id: z.int() });

/**
 * The control paths. They need no session key and aren't recorded.
 *
 * - `GET state`, `requests` (`?after=ID`), `violations`
 * - `POST state` with a Patch; `reset` with other starting data, or none; `restart` as if the process restarted
 * - `POST fail` with a rule returns its `id`; `release` takes an `id`; `clear` ends all rules
 * - `POST show` with `{sandbox, status?, readings?}` lists that sandbox with the status (ERROR by default) for that
 *   many readings (1 by default)
 * - `POST wait` with `{method?, path?, phase?, after?}` returns the next request that fits (see WaitOptions)
 * - `POST advance` with `{ms}`, on a manual clock
 */
export function addControl(app: FastifyInstance, service: ReferenceService): void {
  const post = <T>(
    name: string,
    schema: z.ZodMiniType<T>,
    handle: (body: T, reply: FastifyReply) => unknown,
  ): void => {
    app.post(`${controlPrefix}/${name}`, async (request, reply) => {
      const parsed = schema.safeParse(readJson(request));
      if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) });
      const answer = await handle(parsed.data, reply);
      return reply.sent ? reply : reply.send(answer ?? {});
    });
  };
  const get = (name: string, handle: (request: FastifyRequest) => unknown): void => {
    app.get(`${controlPrefix}/${name}`, (request) => handle(request));
  };

  get('state', () => ({
    url: service.url,
    sessionKey: service.sessionKey,
    profile: service.profile,
    behaviour: service.behaviour,
    ...service.stateAsJson(),
  }));
  get('requests', (request) => {
    const { after } = request.query as { after?: string };
    return service.requests.filter((recorded) => recorded.id > Number(after ?? 0));
  });
  get('violations', () => service.violations);

  post('state', patchSchema, (patch) => service.patch(patch));
  post('reset', resetSchema, (data) => service.reset(data));
  post('fail', ruleSchema, (rule) => ({ id: service.fail(rule).id }));
  post('release', idSchema, ({ id }, reply) => {
    const failure = service.findFailure(id);
    if (!failure) return reply.code(404).send({ error: `no rule ${id}` });
    failure.release();
    return {};
  });
  post('show', showSchema, ({ sandbox, status, readings }, reply) => {
    if (!service.state.sandboxes.has(sandbox))
      return reply.code(404).send({ error: `no sandbox ${sandbox}` });
    service.showSandboxAs(sandbox, status, readings);
    return {};
  });
  post('restart', z.strictObject({}), () => service.restart());
  post('clear', z.strictObject({}), () => service.clearFailures());
  post('wait', waitSchema, ({ method, path, phase, after }, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return service.waitForRequest(
      (request) =>
        (method === undefined || request.method === method.toUpperCase()) &&
        (path === undefined || request.path === path),
      { phase: phase ?? 'ended', ...(after === undefined ? {} : { after }) },
      gone.signal,
    );
  });
  post('advance', advanceSchema, async ({ ms }, reply) => {
    if (service.clock !== 'manual') return reply.code(409).send({ error: 'the clock is not manual' });
    await service.advance(ms);
    return {};
  });
}

function readJson(request: FastifyRequest): unknown {
  if (typeof request.body !== 'string' || request.body === '') return {};
  try {
    return JSON.parse(request.body);
  } catch {
    return undefined;
  }
}
