import * as z from 'zod/mini';
import type { RecordedRequest } from './recorder';

const headers = z.optional(z.record(z.string(), z.string()));
const bytes = z.int().check(z.positive());

/**
 * What happens to a request instead of, or on top of, its normal answer.
 *
 * - `answer`: this status with `body` as JSON, or `text` unchanged
 * - `delay`: `ms` on the service's clock, then the normal answer
 * - `stallBeforeHeaders`, `stallAfterHeaders`: nothing more until released
 * - `resetBeforeAnswer`, `resetMidway`: the connection is reset, before the first byte or after half of the body
 * - `performThenReset`: the service does its work, then resets the connection, so the client can't know the outcome
 * - `truncated`: half of the promised body, then a proper end of the connection
 * - `wrongLength`: the whole body under a Content-Length too small by one
 * - `garbage`: 200 with a JSON content type, but invalid JSON
 * - `html`: 200 with a web page; `empty`: 204; `redirect`: to this URL, unchanged
 * - `huge`: valid JSON of this many bytes; `gzipBomb`: the same, small on the wire
 */
const effectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().check(z.minimum(200), z.maximum(599)),
    body: z.optional(z.unknown()),
    text: z.optional(z.string()),
    contentType: z.optional(z.string()),
    headers,
  }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().check(z.nonnegative()) }),
  z.strictObject({ kind: z.literal('stallBeforeHeaders') }),
  z.strictObject({ kind: z.literal('stallAfterHeaders') }),
  z.strictObject({ kind: z.literal('resetBeforeAnswer') }),
  z.strictObject({ kind: z.literal('resetMidway') }),
  z.strictObject({ kind: z.literal('performThenReset') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({ kind: z.literal('wrongLength') }),
  z.strictObject({ kind: z.literal('garbage') }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('empty') }),
  z.strictObject({
    kind: z.literal('redirect'),
    to: z.string(),
    status: z.optional(
      z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]),
    ),
  }),
  z.strictObject({ kind: z.literal('huge'), bytes }),
  z.strictObject({ kind: z.literal('gzipBomb'), bytes }),
]);
export type Effect = z.infer<typeof effectSchema>;

/** A rule as sent over HTTP. */
export const ruleSchema = z.strictObject({
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  times: z.optional(z.union([z.int().check(z.positive()), z.literal('always')])),
  perform: z.optional(z.boolean()),
  effect: effectSchema,
});

/** Which requests fail, how often, and how. */
export interface FailRule {
  /** Any method if absent. */
  method?: string | undefined;
  /**
   * Any path if absent. In a string, `*` matches anything. The string must match the whole path, or path and query if
   * it contains a `?`.
   */
  path?: string | RegExp | undefined;
  /** A further condition. */
  when?: (request: RecordedRequest) => boolean;
  /** How many requests; 1 if absent. `'always'` is Infinity. */
  times?: number | 'always' | undefined;
  /**
   * Whether the service still does its normal work, before the effect. By default, only `performThenReset` and the
   * effects that cut up a normal answer do (`stallAfterHeaders`, `resetMidway`, `truncated`, `wrongLength`); `delay`
   * and `stallBeforeHeaders` do the work afterwards.
   */
  perform?: boolean | undefined;
  effect: Effect;
}

/** A rule in force. */
export interface Failure {
  readonly id: number;
  /** How many requests it has matched so far. */
  readonly hits: number;
  /** Stops matching requests. Those it holds stay held. */
  remove(): void;
  /** Stops matching requests and lets those it holds continue. */
  release(): void;
}

/** A rule in force, as the delivery sees it. */
export class ActiveFailure implements Failure {
  hits = 0;
  readonly times: number;
  readonly perform: boolean;
  private readonly held = new Set<() => void>();
  private released = false;

  constructor(
    readonly id: number,
    readonly rule: FailRule,
    private readonly drop: (failure: ActiveFailure) => void,
  ) {
    this.times = rule.times === 'always' ? Infinity : (rule.times ?? 1);
    this.perform =
      rule.perform ??
      ['stallAfterHeaders', 'resetMidway', 'truncated', 'wrongLength', 'performThenReset'].includes(
        rule.effect.kind,
      );
  }

  fits(request: RecordedRequest): boolean {
    const { method, path, when } = this.rule;
    if (method !== undefined && method.toUpperCase() !== request.method) return false;
    if (path !== undefined && !fitsPath(path, request)) return false;
    return when?.(request) ?? true;
  }

  /** Resolves when the rule is released, or at once if it already was. */
  hold(): Promise<void> {
    return this.released ? Promise.resolve() : new Promise((resolve) => this.held.add(resolve));
  }

  remove(): void {
    this.drop(this);
  }

  release(): void {
    this.remove();
    this.released = true;
    for (const resolve of this.held) resolve();
    this.held.clear();
  }
}

function fitsPath(path: string | RegExp, request: RecordedRequest): boolean {
  if (typeof path !== 'string') return path.test(request.path);
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 's').test(path.includes('?') ? request.url : request.path);
}

/** All rules, oldest first. A request gets the first rule that fits. */
export class Faults {
  private readonly all = new Map<number, ActiveFailure>();
  private readonly inForce = new Set<ActiveFailure>();
  private lastId = 0;

  fail(rule: FailRule): Failure {
    const failure = new ActiveFailure(++this.lastId, rule, (dropped) => this.inForce.delete(dropped));
    this.all.set(failure.id, failure);
    this.inForce.add(failure);
    return failure;
  }

  /** The rule that applies to this request, with the hit counted; undefined if there is none. */
  take(request: RecordedRequest): ActiveFailure | undefined {
    for (const failure of this.inForce) {
      if (!failure.fits(request)) continue;
      failure.hits += 1;
      if (failure.hits >= failure.times) this.inForce.delete(failure);
      return failure;
    }
    return undefined;
  }

  find(id: number): Failure | undefined {
    return this.all.get(id);
  }

  /** Ends all rules and lets held requests continue. */
  clear(): void {
    for (const failure of this.all.values()) failure.release();
    this.all.clear();
  }
}
