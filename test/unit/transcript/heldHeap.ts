import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AgentEvent } from '../../../src/api/events/event';
import { EventReader } from '../../../src/features/live/model/reader';
import { compactAction } from '../../../src/features/transcript/model/compact';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { aClient } from '../../support/builders/client';
import { aCommand, aResult } from './events';

/** An action and its result; two events. */
type Step = (index: number) => AgentEvent[];

/** Heap in MB for this many events, after reading them and making their entries. */
export async function heldBy(events: number, step: Step): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const searchEvents = (_id: string, query?: { pageId?: string | undefined }) => {
    const page = Number(query?.pageId ?? 0);
    const items = Array.from({ length: 50 }, (_, index) => step(page * 50 + index)).flat();
    return Promise.resolve({ items, nextPageId: (page + 1) * 100 < events ? String(page + 1) : null });
  };
  const mask = createSecretMask(() => []);
  const reader = new EventReader('id', aClient({ searchEvents }), mask, () => undefined);
  const makeEntries = createEntryMaker(compactAction);
  await reader.readStored();
  while (reader.hasOlder) {
    await reader.readOlder(undefined);
    makeEntries(reader.events, 'idle');
  }
  collect();
  const size = (process.memoryUsage().heapUsed - before) / 1e6;
  // Asked for only now, so that nothing of it is gone before.
  const { length } = makeEntries(reader.events, 'idle');
  if (reader.events.length !== events || length !== events / 2) throw new Error('Events are missing.');
  return size;
}

/** Its output is longer than what is held of it. */
export const aLongCommand: Step = (index) => {
  const command = aCommand(`echo ${index}`);
  return [command, aResult(command, { text: `${index} `.repeat(2_000) })];
};
