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
  /** before a sandbox start is answered, unless the service waits for the sandbox anyway */
  startAnswer: milliseconds,
  /** profile current: between reading and storing in a save */
  save: milliseconds,
  /** profile observed: from the conversation's creation to the title made from its first message */
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
  /**
   * Per client address: more than 10 requests in a second are delayed by 1 s each, more than 20 are refused with 429.
   */
  rateLimit: z.boolean(),
  /** Profile observed: require the key on /api/v1, too. */
  checkKeyOnV1: z.boolean(),
  /** Profile observed: show a secret that is set as ********** instead of null. */
  maskSecrets: z.boolean(),
  /** Profile observed: show an SSE or HTTP server without a key as a bare URL. */
  bareMcpUrls: z.boolean(),
  /**
   * Profile observed: what sandboxes are. Starting a `process` is answered once it runs; until then it's listed as
   * ERROR, and a restart of the service ends it. Starting a `container` is answered at once, and it outlives the
   * service.
   */
  sandboxKind: z.enum(['process', 'container']),
  /** A container that's starting or resuming shows ERROR until it's healthy. */
  errorUntilHealthy: z.boolean(),
  /** A sandbox is listed as ERROR while it pauses: its health check times out. */
  errorWhilePausing: z.boolean(),
  /** With simulated agents: use the routes of app server 1.2 and later for stored events. */
  newerEvents: z.boolean(),
  /** Profile observed: deleting a conversation keeps its sandbox, as in release 1.6. */
  keepsSandbox: z.boolean(),
  /** Started sandboxes never run. */
  startsFail: z.boolean(),
  /** Profile observed: the operator's own MCP servers, listed before the user's in each answer. */
  operatorMcp: z.nullable(operatorMcp),
  /** Profile observed: settings beyond the specification that this server knows, each with its default. */
  extraSettings: z.record(z.string(), z.unknown()),
  /** Accept the key only in the `Authorization` header. */
  bearer: z.boolean(),
  /** Profile hosted: how signing in with a code goes. */
  signIn: z.strictObject({
    /** Whether it’s offered at all. */
    offered: z.boolean(),
    /** Seconds between two questions, and until a code expires. */
    interval: z.number().check(z.nonnegative()),
    expiresIn: z.number().check(z.nonnegative()),
    /** Where the user enters the code; null for a page of the service itself. */
    page: z.nullable(z.string()),
  }),
  /** Profile hosted: the user’s organizations; the first one is meant by requests that name none. */
  organizations: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** Profile hosted: the organization of records, by their ids; others are the first one’s. */
  organizationOf: z.record(z.string(), z.string()),
  /** Profile hosted: conversations that may be started in a day; null for any number. */
  dailyQuota: z.nullable(z.int()),
  /** Profile hosted: sandboxes that may run; one more is refused. Null for any number. */
  maxConcurrent: z.nullable(z.int()),
  /** Profile current: decides how the secrets of MCP servers are shown and how refusals are worded. */
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
    signIn: { offered: true, interval: 1, expiresIn: 600, page: null },
    organizations: [{ id: 'org-personal', name: 'Personal' }],
    organizationOf: {},
    dailyQuota: null,
    maxConcurrent: null,
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

/** Realistic delays, for running the service by hand. */
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
