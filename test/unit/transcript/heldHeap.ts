import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AgentEvent } from '../../../src/api/events/event';
import { EventReader } from '../../../src/features/live/model/reader';
import { compactAction } from '../../../src/features/transcript/model/compact';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { aClient } from '../../support/builders/client';
import { aCommand, anAction, aResult } from './events';

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

/** A tenth of the steps edit one of 50 files of 10 kB each, which is then as the edit before left it. */
export const anEditNowAndThen: Step = (index) => {
  if (index % 10 > 0) return aLongCommand(index);
  const number = index % 500;
  const file = (version: number) => `Version ${version}\n${`A line of file ${number}\n`.repeat(600)}`;
  const path = `/workspace/file${number}.ts`;
  const input = { command: 'str_replace', path, old_str: 'line', new_str: 'line' };
  const action = anAction('FileEditorAction', input);
  const edits = Math.floor(index / 500);
  return [action, aResult(action, { path, before: file(edits), after: file(edits + 1) })];
};
