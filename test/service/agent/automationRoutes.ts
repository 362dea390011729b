import { randomUUID } from 'node:crypto';
import { isObject, objectBody, ok, type Answer, type Call } from '../http';

const base = '/api/automation/v1';

/** What the automation service beside an agent server keeps. Each member is what it answers. */
export class Automations {
  readonly all: Record<string, unknown>[] = [];
  /** By the id of their automation, the newest first. */
  readonly runs = new Map<string, Record<string, unknown>[]>();
  /** How many reads after a change still show what was before it: the service answers before it stores. */
  lateReads = 0;
  /** Answers a change with what was there before. */
  ignoresChanges = false;
  private lateReadsLeft = 0;
  private before: Automations | undefined;

  constructor(private readonly now: () => number) {}

  /** Adds an automation with the service’s own defaults. */
  add(values: Record<string, unknown>): string {
    const id = randomUUID();
    const time = new Date(this.now()).toISOString();
    const more = { prompt: 'Do it.', model: null, timeout: 600, last_triggered_at: null };
    this.all.unshift({ id, enabled: true, ...more, created_at: time, updated_at: time, ...values });
    return id;
  }

  /** Adds a run that has just been asked for. */
  addRun(automationId: string, values: Record<string, unknown> = {}): Record<string, unknown> {
    const time = new Date(this.now()).toISOString();
    const none = { error_detail: null, current_phase: null, conversation_id: null, cost: null };
    const own = { id: randomUUID(), automation_id: automationId, status: 'PENDING', created_at: time };
    const run: Record<string, unknown> = { ...own, ...none, started_at: null, completed_at: null, ...values };
    const automation = this.all.find((one) => one['id'] === automationId);
    if (automation) automation['last_triggered_at'] = run['created_at'];
    this.runs.set(automationId, [run, ...(this.runs.get(automationId) ?? [])]);
    return run;
  }

  private create(call: Call): Answer {
    const { name, prompt, trigger, ...others } = objectBody(call);
    const { type, schedule, timezone = 'UTC' } = isObject(trigger) ? trigger : {};
    if (!name || typeof name !== 'string') return refused('body.name');
    if (!prompt || typeof prompt !== 'string') return refused('body.prompt');
    if (type !== 'cron' || String(schedule).trim().split(/\s+/).length !== 5)
      return refused('body.trigger.cron.schedule');
    if (!Intl.supportedValuesOf('timeZone').includes(String(timezone)) && timezone !== 'UTC')
      return refused('body.trigger.cron.timezone');
    if (Object.keys(others).some((key) => !['model', 'timeout', 'keep_alive', 'repos'].includes(key)))
      return refused('body');
    const id = this.add({ name, prompt, trigger: { type, schedule, timezone } });
    return { status: 201, body: this.all.find((one) => one['id'] === id) };
  }

  private cancel(id: string): Answer {
    const run = [...this.runs.values()].flat().find((one) => one['id'] === id);
    if (!run) return { status: 404, body: { detail: 'Run not found' } };
    const status = String(run['status']);
    if (!['PENDING', 'RUNNING'].includes(status)) {
      const detail = `Run is ${status}, only PENDING or RUNNING runs can be cancelled`;
      return { status: 409, body: { detail } };
    }
    const completed_at = new Date(this.now()).toISOString();
    return ok(Object.assign(run, { status: 'CANCELLED', error_detail: 'Cancelled by user', completed_at }));
  }

  private copy(): Automations {
    const copy = new Automations(this.now);
    copy.all.push(...structuredClone(this.all));
    for (const [id, runs] of this.runs) copy.runs.set(id, structuredClone(runs));
    return copy;
  }

  /** Answers its requests; undefined for others. */
  answer(call: Call): Answer | undefined {
    const { method, path } = call;
    if (!path.startsWith(base)) return undefined;
    if (method !== 'GET') [this.before, this.lateReadsLeft] = [this.copy(), this.lateReads];
    else if (this.before && this.lateReadsLeft > 0) {
      this.lateReadsLeft -= 1;
      return this.before.answerNow(call);
    }
    return this.answerNow(call);
  }

  private answerNow(call: Call): Answer | undefined {
    const { method, path, query } = call;
    if (method === 'POST' && path === `${base}/preset/prompt`) return this.create(call);
    const canceled = new RegExp(`^${base}/runs/([^/]+)/cancel$`).exec(path)?.[1];
    if (method === 'POST' && canceled) return this.cancel(canceled);
    const match = /^\/api\/automation\/v1(?:\/([^/]+)(?:\/(runs|dispatch))?)?$/.exec(path);
    if (!match) return undefined;
    const [, id, below] = match;
    const page = <T>(all: readonly T[]) => {
      const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)];
      return limit >= 1 && limit <= 100 ? all.slice(offset, offset + limit) : undefined;
    };
    if (id === undefined) {
      const automations = page(this.all);
      if (method !== 'GET' || !automations) return refused('query.limit');
      return ok({ automations, total: this.all.length });
    }
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return refused('path.automation_id');
    const one = this.all.find((each) => each['id'] === id);
    if (!one) return { status: 404, body: { detail: 'Automation not found' } };
    if (below === 'runs' && method === 'GET') {
      const runs = this.runs.get(id) ?? [];
      return ok({ runs: page(runs), total: runs.length, status_counts: {} });
    }
    if (below === 'dispatch' && method === 'POST') {
      if (one['enabled'] !== true)
        return { status: 409, body: { detail: { message: 'Automation is disabled' } } };
      return { status: 201, body: this.addRun(id) };
    }
    if (below === undefined && method === 'GET') return ok(one);
    if (below === undefined && method === 'PATCH') {
      const change = objectBody(call);
      // Null is stored where it shouldn’t be, which breaks the answer.
      if (isObject(change) && change['name'] === null) return { status: 500, body: 'Internal Server Error' };
      return ok(this.ignoresChanges ? one : Object.assign(one, change));
    }
    if (below === undefined && method === 'DELETE') {
      this.all.splice(this.all.indexOf(one), 1);
      return { status: 204, body: undefined };
    }
    return { status: 405, body: { detail: 'Method Not Allowed' } };
  }
}

function refused(place: string): Answer {
  const msg = 'Input is invalid';
  return { status: 422, body: { detail: [{ loc: place.split('.'), msg, type: 'value_error' }] } };
}
