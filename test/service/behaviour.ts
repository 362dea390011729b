import * as z from 'zod/mini';

const milliseconds = z.int().check(z.nonnegative());

/** How long things take, in milliseconds on the service's clock. */
export const delaysSchema = z.strictObject({
  /** from the start to RUNNING, or to ERROR where `errorUntilHealthy` */
  sandboxStart: milliseconds,
  /** from ERROR to RUNNING where `errorUntilHealthy` */
  sandboxHealthy: milliseconds,
  /** from the answer to a pause to PAUSED */
  pause: milliseconds,
  /** from the answer to a resume to RUNNING */
  resume: milliseconds,
  /** each step of a start task */
  taskStep: milliseconds,
  /** before the answer to starting a sandbox, where the service does not wait for the sandbox anyway */
  startAnswer: milliseconds,
  /** profile current: between the reading and the storing of a save */
  save: milliseconds,
  /** profile observed: from the conversation's record to the title made from its first message */
  title: milliseconds,
});
export type Delays = z.infer<typeof delaysSchema>;

const urlServers = z.array(
  z.strictObject({
    url: z.string(),
    api_key: z.optional(z.nullable(z.string())),
    timeout: z.optional(z.nullable(z.int())),
  }),
);
const operatorMcp = z.strictObject({
  sse_servers: urlServers,
  stdio_servers: z.array(
    z.strictObject({
      name: z.string(),
      command: z.string(),
      args: z.optional(z.array(z.string())),
      env: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  shttp_servers: urlServers,
});

/** What a test may change about a running service. */
export const behaviourSchema = z.strictObject({
  /** Per client address: above 10 requests in a second delayed by 1 s each, above 20 refused with 429. */
  rateLimit: z.boolean(),
  /** Profile observed: ask for the key on /api/v1 too. */
  checkKeyOnV1: z.boolean(),
  /** Profile observed: show a set secret as ********** where it is null otherwise. */
  maskSecrets: z.boolean(),
  /** Profile observed: show an SSE or HTTP server without a key as a bare URL. */
  bareMcpUrls: z.boolean(),
  /**
   * Profile observed: what sandboxes are. A start of a `process` is answered when it runs; until then it is listed as
   * ERROR, and a restart of the service ends it. A start of a `container` is answered at once, and it outlives the service.
   */
  sandboxKind: z.enum(['process', 'container']),
  /** A container that starts or resumes shows ERROR until it is healthy. */
  errorUntilHealthy: z.boolean(),
  /** A sandbox is listed as ERROR while it pauses: its health check times out. */
  errorWhilePausing: z.boolean(),
  /** Where agents are simulated: the routes of app server 1.2 and later for stored events. */
  newerEvents: z.boolean(),
  /** Profile observed: a deleted conversation leaves its sandbox, as in release 1.6. */
  keepsSandbox: z.boolean(),
  /** Sandboxes that are started never run. */
  startsFail: z.boolean(),
  /** Profile observed: the operator's own MCP servers, put before the user's in each answer. */
  operatorMcp: z.nullable(operatorMcp),
  /** Profile observed: settings beyond the specification that this server knows, each with its default. */
  extraSettings: z.record(z.string(), z.unknown()),
  /** It takes the key in the header `Authorization`, and no other. */
  bearer: z.boolean(),
  /** Profile current: how it shows the secrets of MCP servers, and words its refusals. */
  release: z.enum(['1.7', '1.8', '1.11']),
  /** Profile current: sandboxes and conversations fail until settings are saved, as in release 1.10. */
  failsUnsaved: z.boolean(),
  /** Sandboxes that may run at once; one more silently pauses the oldest. */
  maxRunning: z.int().check(z.positive()),
  delays: delaysSchema,
});
export type Behaviour = z.infer<typeof behaviourSchema>;

/** Quick, without the rate limit: for tests in the same process. */
export function defaultBehaviour(): Behaviour {
  return {
    rateLimit: false,
    checkKeyOnV1: false,
    maskSecrets: false,
    bareMcpUrls: false,
    sandboxKind: 'process',
    errorUntilHealthy: false,
    errorWhilePausing: false,
    newerEvents: false,
    keepsSandbox: false,
    startsFail: false,
    operatorMcp: null,
    extraSettings: { user_version: null, condenser_max_size: null, v1_enabled: true },
    bearer: false,
    release: '1.11',
    failsUnsaved: false,
    maxRunning: 5,
    delays: {
      sandboxStart: 30,
      sandboxHealthy: 30,
      pause: 15,
      resume: 15,
      taskStep: 5,
      startAnswer: 0,
      save: 0,
      title: 15,
    },
  };
}

/** As slow as people know it: for the service run by hand. */
export const lifelikeDelays: Delays = {
  sandboxStart: 5_000,
  sandboxHealthy: 3_000,
  pause: 1_500,
  resume: 2_500,
  taskStep: 1_200,
  startAnswer: 800,
  save: 0,
  title: 4_000,
};
