import * as z from 'zod/mini';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText, maybeTime, recordId } from '../lenient';
import { record, send } from './calls';

/** When an automation runs: by a schedule in cron’s form, or by an event of a source. */
const triggerSchema = z.object({
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
  trigger: maybe(triggerSchema),
  enabled: maybe(z.boolean()),
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
});
/** What `runSchema` reads. */
export type AutomationRun = z.infer<typeof runSchema>;

const listSchema = z.object({ automations: lenientList(automationSchema), total: maybe(z.number()) });
const runsSchema = z.object({ runs: lenientList(runSchema) });

/** The calls of the automation service that Agent Canvas runs beside its agent server. Each throws ApiError. */
export interface AutomationCalls {
  /** `GET /api/automation/v1`: all automations, up to a thousand. */
  listAutomations(signal?: AbortSignal): Promise<Automation[]>;
  /** `GET /api/automation/v1/<id>/runs`: the last 50, the newest first. */
  listAutomationRuns(id: string, signal?: AbortSignal): Promise<AutomationRun[]>;
  /** `POST /api/automation/v1/<id>/dispatch`: starts a run. */
  runAutomation(id: string, signal?: AbortSignal): Promise<void>;
  /** `PATCH /api/automation/v1/<id>`. Resolves to whether it’s on now, as the server says; undefined if it doesn’t. */
  turnAutomation(id: string, on: boolean, signal?: AbortSignal): Promise<boolean | undefined>;
  /** `DELETE /api/automation/v1/<id>`: conversations of its runs stay, and a run in progress continues. */
  deleteAutomation(id: string, signal?: AbortSignal): Promise<void>;
}

const route = '/api/automation/v1';
const pageSize = 100;
const mostPages = 10;

/**
 * The calls of the automation service.
 * @param sessionKey runs have it in their environment, so that it may be in what they say about an error
 */
export function automationCalls(transport: Transport, sessionKey: string | null): AutomationCalls {
  const concealed = (text: string | null | undefined) =>
    sessionKey ? text?.replaceAll(sessionKey, '******') : text;
  return {
    listAutomations: async (signal) => {
      const all = new Map<string, Automation>();
      for (let page = 0; page < mostPages; page += 1) {
        const query = searchParams({ limit: pageSize, offset: page * pageSize });
        const call = { method: 'GET', route, query, read: record(listSchema) } as const;
        const { automations, total } = await transport.request(call, signal);
        for (const one of automations) all.set(one.id, one);
        if (automations.length === 0 || (page + 1) * pageSize >= (total ?? 0)) break;
      }
      return [...all.values()];
    },
    listAutomationRuns: async (id, signal) => {
      const query = searchParams({ limit: 50 });
      const call = { method: 'GET', route: `${route}/{id}/runs`, id, query } as const;
      const { runs } = await transport.request({ ...call, read: record(runsSchema) }, signal);
      return runs.map((run) => ({ ...run, error_detail: concealed(run.error_detail) }));
    },
    runAutomation: (id, signal) =>
      send(transport, { method: 'POST', route: `${route}/{id}/dispatch`, id }, signal),
    turnAutomation: async (id, on, signal) => {
      const call = { method: 'PATCH', route: `${route}/{id}`, id, body: { enabled: on } } as const;
      const { enabled } = await transport.request({ ...call, read: record(automationSchema) }, signal);
      return enabled ?? undefined;
    },
    deleteAutomation: (id, signal) =>
      send(transport, { method: 'DELETE', route: `${route}/{id}`, id }, signal),
  };
}
