import { randomBytes } from 'node:crypto';
import type { Behaviour } from '../behaviour';
import type { Clock } from '../clock';
import type { Answer, Call } from '../http';
import type { State } from '../records';

/** A sign-in that was begun. */
interface DeviceCode {
  userCode: string;
  expiresAt: number;
  intervalMs: number;
  askedAt: number;
  state: 'pending' | 'approved' | 'denied' | 'used';
}

const day = 24 * 60 * 60 * 1_000;

/** Who may use a hosted service, for which organization, and how much. By source: no such service was executed. */
export class HostedAccounts {
  /** Keys that signing in has ended in. */
  readonly tokens = new Set<string>();
  private readonly codes = new Map<string, DeviceCode>();
  private startedAt: number[] = [];

  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
  ) {}

  /** The answer to `POST /oauth/device/authorize`. */
  authorize(address: string): Answer {
    const { signIn } = this.behaviour;
    const deviceCode = randomBytes(24).toString('base64url');
    const userCode = randomBytes(4).toString('hex').toUpperCase();
    this.codes.set(deviceCode, {
      userCode,
      expiresAt: this.clock.now() + signIn.expiresIn * 1_000,
      intervalMs: signIn.interval * 1_000,
      askedAt: -Infinity,
      state: 'pending',
    });
    const uri = signIn.page ?? `${address}/oauth/device/verify`;
    return json(200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: signIn.expiresIn,
      interval: signIn.interval,
    });
  }

  /** What the user does on the page; true if there is such a code. */
  verify(userCode: string, isApproved: boolean): boolean {
    const code = [...this.codes.values()].find((one) => one.userCode === userCode.toUpperCase());
    if (code?.state !== 'pending' || this.clock.now() >= code.expiresAt) return false;
    code.state = isApproved ? 'approved' : 'denied';
    return true;
  }

  /** The answer to `POST /oauth/device/token`, as in RFC 8628, section 3.5. */
  token(deviceCode: string): Answer {
    const code = this.codes.get(deviceCode);
    if (!code || code.state === 'used') return refused('invalid_grant', 'There is no such code.');
    const now = this.clock.now();
    if (now >= code.expiresAt) return refused('expired_token', 'The code has expired.');
    const isEarly = now - code.askedAt < code.intervalMs;
    code.askedAt = now;
    if (isEarly) {
      code.intervalMs += 5_000;
      return refused('slow_down', 'You ask too often.', { interval: code.intervalMs / 1_000 });
    }
    if (code.state === 'pending') return refused('authorization_pending', 'The user has not decided yet.');
    if (code.state === 'denied') return refused('access_denied', 'The user has declined.');
    code.state = 'used';
    const token = `sk-${randomBytes(16).toString('hex')}`;
    this.tokens.add(token);
    return json(200, { access_token: token, token_type: 'Bearer', expires_in: day / 1_000 });
  }

  /** Answers a request that names an organization: only what belongs there is there. */
  async within(
    organization: string | undefined,
    call: Call,
    next: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { organizations, organizationOf } = this.behaviour;
    const known = organizations.map(({ id }) => id);
    if (organization !== undefined && !known.includes(organization))
      return json(403, { detail: 'You are not a member of this organization' });
    const present = organization ?? known[0];
    const isElsewhere = (id: string | undefined) =>
      id !== undefined && (organizationOf[id] ?? known[0]) !== present;
    if (Object.values(call.params).some(isElsewhere)) return json(404, { detail: 'Not found' });
    const over = this.overLimit(call);
    if (over) return over;
    // They are the user's, whichever one is meant.
    if (call.path === '/api/organizations') return await next();
    return withoutItems(await next(), isElsewhere);
  }

  /** The refusal of what is one too many, at the same time or today. */
  private overLimit({ method, path }: Call): Answer | undefined {
    const isStart = path === '/api/v1/app-conversations';
    const runsMore = isStart || path === '/api/v1/sandboxes' || path.endsWith('/resume');
    if (method !== 'POST' || !runsMore) return undefined;
    const { dailyQuota, maxConcurrent } = this.behaviour;
    const current = [...this.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING').length;
    if (maxConcurrent !== null && current >= maxConcurrent) return tooManyAtOnce(maxConcurrent, current);
    if (!isStart) return undefined;
    const now = this.clock.now();
    this.startedAt = this.startedAt.filter((at) => at > now - day);
    if (dailyQuota !== null && this.startedAt.length >= dailyQuota)
      return overQuota(dailyQuota, Math.ceil(((this.startedAt[0] ?? now) + day - now) / 1_000));
    this.startedAt.push(now);
    return undefined;
  }

  clear(): void {
    this.tokens.clear();
    this.codes.clear();
    this.startedAt = [];
  }
}

/** What would run one more than the plan allows. */
const tooManyAtOnce = (limit: number, current: number): Answer =>
  json(429, {
    error: 'CONCURRENCY_LIMIT_REACHED',
    message: `You can run ${limit} conversations at the same time.`,
    limit,
    current,
  });

/** The code and the header are this service’s own: the source says only that there is a daily quota. */
const overQuota = (limit: number, waitSeconds: number): Answer => ({
  ...json(429, {
    error: 'DAILY_QUOTA_EXCEEDED',
    message: `You have reached your daily limit of ${limit} conversations.`,
    limit,
  }),
  headers: { 'retry-after': String(waitSeconds) },
});

const json = (status: number, body: unknown): Answer => ({ status, body });

const refused = (error: string, error_description: string, more: object = {}): Answer =>
  json(400, { error, error_description, ...more });

/** A list’s answer without the items that are elsewhere. */
function withoutItems(answer: Answer, isElsewhere: (id: string | undefined) => boolean): Answer {
  const { body } = answer;
  if (typeof body !== 'object' || body === null || !('items' in body) || !Array.isArray(body.items))
    return answer;
  const items = (body.items as { id?: string }[]).filter((item) => !isElsewhere(item.id));
  return { ...answer, body: { ...body, items } };
}
