import * as l10n from '@vscode/l10n';
import type { Automation, AutomationRun } from '../../api/service/automations';
import { plainText } from '../../shared/plainText';
import { isAutomationOn, nextRun } from '../automations';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { countStates, listing, newestFirst } from './rows';
import { defineTool } from './tool';

const text = (value: string | null | undefined, max: number) => (value ? plainText(value, max) : undefined);

/** Lists automations, or the runs of one of them. */
export const listAutomations = defineTool({
  input: inputs.listAutomations,
  doing: () => l10n.t('Listing automations'),
  run: async ({ limit, automationId }, { client, now }, signal) => {
    const { agents: server } = client;
    if (!server || (await server.about(signal)).hasAutomations !== true)
      throw new ToolError('This service has no automations. Only Agent Canvas has them. Don’t try again.');
    const answer = { complete: true, filters: 'automationId' };
    if (automationId !== undefined) {
      const runs = await server.listAutomationRuns(automationId, limit, signal);
      const states = countStates(runs, ({ status }) => status ?? '');
      const count = { matching: runs.length, read: runs.length };
      return listing({ ...answer, what: 'runs', rows: runs.map(runText), ...count, states });
    }
    const all = await server.listAutomations(signal);
    const rows = newestFirst(all, (one) => one.last_triggered_at);
    return listing({
      ...answer,
      what: 'automations',
      rows: rows.slice(0, limit).map((one) => automationText(one, now)),
      matching: all.length,
      read: all.length,
      states: new Map(),
    });
  },
});

function automationText(automation: Automation, now: number): string {
  const { id, name, trigger, last_triggered_at: last } = automation;
  const isOn = isAutomationOn(automation);
  const next =
    isOn && trigger?.type === 'cron' ? nextRun(trigger.schedule, trigger.timezone, now) : undefined;
  return JSON.stringify({
    id: plainText(id, 512),
    name: text(name, 160),
    on: isOn,
    trigger: text(trigger?.type, 40),
    schedule: text(trigger?.schedule, 120),
    timezone: text(trigger?.timezone, 80),
    event_source: text(trigger?.source, 80),
    next_run_at: next === undefined ? undefined : new Date(next).toISOString(),
    last_run_at: text(last, 40),
  });
}

/** A run. */
function runText({ id, ...run }: AutomationRun): string {
  return JSON.stringify({
    id: plainText(id, 512),
    status: text(run.status, 40),
    phase: text(run.current_phase, 80),
    error: text(run.error_detail, 400),
    conversation_id: text(run.conversation_id, 512),
    created_at: text(run.created_at, 40),
    completed_at: text(run.completed_at, 40),
  });
}
