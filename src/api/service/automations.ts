import * as z from 'zod/mini';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText, maybeTime, recordId } from '../lenient';
import { record } from './calls';

/** When an automation runs: by a schedule in cron’s form, or by an event of a source. A change sends the rest back. */
const triggerSchema = z.looseObject({
  type: maybeText,
  schedule: maybeText,
  timezone: maybeText,
  source: maybeText,
  on: maybe(z.union([z.string(), lenientList(z.string())])),
});
/** What `triggerSchema` reads. */
export type AutomationTrigger = z.infer<typeof triggerSchema>;

/** A message that the server sends to a new conversation by itself. */
const automationSchema = z.object({
  id: recordId,
  name: maybeText,
  prompt: maybeText,
  trigger: maybe(triggerSchema),
  enabled: maybe(z.boolean()),
  /** `ACTIVE`, `INACTIVE`, or `DRAFT`, in later releases. */
  state: maybeText,
  last_triggered_at: maybeTime,
});
/** What `automationSchema` reads. */
export type Automation = z.infer<typeof automationSchema>;

/** One run of an automation. Its conversation is known once it has ended. */
const runSchema = z.object({
  id: recordId,
  /** `PENDING`, `RUNNING`, `COMPLETED`, `FAILED`, `CANCELLED`, or `SKIPPED`. */
  status: maybeText,
  current_phase: maybeText,
  error_detail: maybeText,
  conversation_id: maybeText,
  created_at: maybeTime,
  completed_at: maybeTime,
});
/** What `runSchema` reads. */
export type AutomationRun = z.infer<typeof runSchema>;

const listSchema = z.object({ automations: lenientList(automationSchema), total: maybe(z.number()) });
const runsSchema = z.object({ runs: lenientList(runSchema) });

/** An automation to create: a message, and when to send it. */
export interface NewAutomation {
  name: string;
  prompt: string;
  /** In cron’s form, with five fields. */
  schedule: string;
  /** By its name in the time zone database. */
  timezone: string;
}

/** What to change of an automation: an absent member stays, and a trigger is replaced whole. */
export interface AutomationChange {
  name?: string;
  prompt?: string;
  trigger?: { type: 'cron'; schedule: string; timezone: string };
}

/** The calls of the automation service that Agent Canvas runs beside its agent server. Each throws ApiError. */
export interface AutomationCalls {
  /** `GET /api/automation/v1`: all automations, up to a thousand. */
  listAutomations(signal?: AbortSignal): Promise<Automation[]>;
  /** `GET /api/automation/v1/<id>/runs`: the newest first. */
  listAutomationRuns(id: string, limit: number, signal?: AbortSignal): Promise<AutomationRun[]>;
  /** `POST /api/automation/v1/<id>/dispatch`: starts a run. */
  runAutomation(id: string, signal?: AbortSignal): Promise<void>;
  /** `POST /api/automation/v1/runs/<id>/cancel`: ends a run in progress; 409 when it’s over. */
  cancelAutomationRun(id: string, signal?: AbortSignal): Promise<void>;
  /** `POST /api/automation/v1/preset/prompt`: creates another one with each call, even under the same name. */
  createAutomation(automation: NewAutomation, signal?: AbortSignal): Promise<void>;
  /** `PATCH /api/automation/v1/<id>`. Resolves to what it is now, as the server says. */
  changeAutomation(id: string, change: AutomationChange, signal?: AbortSignal): Promise<Automation>;
  /** The same, to turn it on or off. */
  turnAutomation(automation: Automation, on: boolean, signal?: AbortSignal): Promise<Automation>;
  /** `DELETE /api/automation/v1/<id>`: conversations of its runs stay, and a run in progress continues. */
  deleteAutomation(id: string, signal?: AbortSignal): Promise<void>;
}

const route = '/api/automation/v1';
const pageSize = 100;
const mostPages = 10;

/** The calls of the automation service. */
export function automationCalls(transport: Transport): AutomationCalls {
  const change = (id: string, body: object, signal?: AbortSignal): Promise<Automation> => {
    const call = { method: 'PATCH', route: `${route}/{id}`, id, body } as const;
    return transport.request({ ...call, read: record(automationSchema) }, signal);
  };
  return {
    listAutomations: async (signal) => {
      const all = new Map<string, Automation>();
      for (let page = 0; page < mostPages; page += 1) {
        const query = searchParams({ limit: pageSize, offset: page * pageSize });
        const read = record(listSchema);
        const call = { method: 'GET', route, query, read, elements: 'automations' } as const;
        const { automations, total } = await transport.request(call, signal);
        const known = all.size;
        for (const one of automations) all.set(one.id, one);
        // Without a count, the last page is the one that brings nothing new.
        if (all.size === known || (page + 1) * pageSize >= (total ?? Infinity)) break;
      }
      return [...all.values()];
    },
    listAutomationRuns: async (id, limit, signal) => {
      const query = searchParams({ limit });
      const call = { method: 'GET', route: `${route}/{id}/runs`, id, query, elements: 'runs' } as const;
      return (await transport.request({ ...call, read: record(runsSchema) }, signal)).runs;
    },
    runAutomation: (id, signal) =>
      transport.request({ method: 'POST', route: `${route}/{id}/dispatch`, id }, signal),
    cancelAutomationRun: (id, signal) =>
      transport.request({ method: 'POST', route: `${route}/runs/{id}/cancel`, id }, signal),
    createAutomation: ({ name, prompt, schedule, timezone }, signal) => {
      const body = { name, prompt, trigger: { type: 'cron', schedule, timezone } };
      return transport.request({ method: 'POST', route: `${route}/preset/prompt`, body }, signal);
    },
    changeAutomation: change,
    turnAutomation: ({ id, state }, on, signal) =>
      change(id, state ? { state: on ? 'ACTIVE' : 'INACTIVE' } : { enabled: on }, signal),
    deleteAutomation: (id, signal) =>
      transport.request({ method: 'DELETE', route: `${route}/{id}`, id }, signal),
  };
}
