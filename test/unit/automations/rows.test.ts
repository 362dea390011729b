import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../src/api/service/agentServerStart';
import type { Automation, AutomationRun } from '../../../src/api/service/automations';
import { automationRows } from '../../../src/features/automations/rows/rows';
import { commandIds } from '../../../src/ids';

const now = Date.parse('2026-03-05T08:00:00Z');
const baseUrl = 'https://one.example';
const trigger = { type: 'cron', schedule: '0 9 * * *', timezone: 'UTC' };

const rowOf = (automation: Partial<Automation>, run?: Partial<AutomationRun>, timeZone = 'Asia/Tokyo') => {
  const items = [{ id: 'a', name: 'Report', enabled: true, trigger, ...automation }];
  const [row] = automationRows(
    {
      connection: { name: 'One', baseUrl, origin: baseUrl },
      server: {} as AgentServerCalls,
      items,
      loaded: true,
      error: undefined,
      readAt: now,
      runs: new Map(run ? [['a', { id: 'r', ...run }]] : []),
    },
    { now, language: 'en', timeZone },
  );
  assert.ok(row);
  return row;
};

describe('rows of automations', () => {
  it('say schedule, next run, and last result, in words too', () => {
    const row = rowOf({}, { status: 'COMPLETED', completed_at: '2026-03-05T07:00:00Z' });
    assert.equal(row.label, 'Report');
    assert.match(row.description!, /^Every day at 9:00\sAM \(UTC\) · next Thu.*\b\d\d?:00/);
    assert.match(
      row.accessibilityLabel!,
      /^Automation Report, Every day .* · last run: Completed · 1 h ago$/,
    );
    assert.equal(row.icon?.name, 'pass');
    assert.deepEqual(
      row.tooltip?.map(({ label }) => label),
      [undefined, 'Trigger', 'Next run', 'Last run'],
    );
    assert.equal(row.command, commandIds.automationShowRuns);
    assert.deepEqual(row.ref, { kind: 'automation', id: 'a', service: baseUrl });
  });

  it('begin with what runs or has failed, each with a shape of its own', () => {
    const failed = rowOf(
      {},
      { status: 'FAILED', error_detail: 'No model.', created_at: '2026-03-05T07:58:00Z' },
    );
    assert.match(failed.description!, /^Failed · Every day/);
    assert.equal(failed.tooltip?.at(-1)?.value, 'No model.');
    const busy = rowOf({}, { status: 'RUNNING', current_phase: 'Loading skills' });
    assert.match(busy.description!, /^Loading skills · Every day/);
    const icons = [failed, busy, rowOf({}, { status: 'CANCELLED' }), rowOf({})].map(({ icon }) => icon?.name);
    assert.deepEqual(icons, ['error', 'loading~spin', 'debug-step-over', 'watch']);
  });

  it('say that one is off, which isn’t due, and offer what fits', () => {
    const off = rowOf({ enabled: false });
    assert.match(off.description ?? '', /^Off · Every day at 9:00\sAM \(UTC\)$/);
    assert.equal(off.icon?.name, 'circle-slash');
    assert.deepEqual(
      [
        off,
        rowOf({}),
        rowOf({}, { status: 'PENDING' }),
        rowOf({ enabled: false }, { status: 'RUNNING' }),
      ].map(({ contextValue }) => contextValue),
      ['automation.off', 'automation.on', 'automation.on.busy', 'automation.off.busy'],
    );
  });

  it('name a time zone only where it isn’t the computer’s own; the tooltip always does', () => {
    const own = rowOf({ enabled: false }, undefined, 'UTC');
    assert.match(own.description ?? '', /^Off · Every day at 9:00\sAM$/);
    assert.ok(own.tooltip?.some(({ value }) => /^Every day at 9:00\sAM \(UTC\)$/.test(value)));
  });

  it('show an event, and anything that can’t be read, without a time', () => {
    const event = rowOf({ trigger: { type: 'event', source: 'github', on: 'push' } });
    assert.equal(event.description, 'On push from github');
    assert.equal(rowOf({ name: null, trigger: null }).description, 'Unknown trigger');
    assert.equal(rowOf({ name: null }).label, 'Unnamed');
    assert.match(
      rowOf({ last_triggered_at: '2026-03-03T08:00:00Z' }).accessibilityLabel!,
      /last run: 2 d ago$/,
    );
  });
});
