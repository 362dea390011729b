import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import type { Entry, Execution } from '../../../src/shared/transcript';
import { createEntryMaker } from '../../../src/features/transcript';
import { aCommand, aMessage, anEvent, aReport, aResult } from './events';

const aHook = (actionId: string, more: { text?: string; command?: string } = {}) =>
  anEvent({
    kind: 'hook',
    on: 'PreToolUse',
    command: './check',
    outcome: 'passed',
    actionId,
    text: '',
    ...more,
  });
const aStatus = (status: Execution, timestamp: string) => anEvent({ kind: 'status', status }, { timestamp });
const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}`;

describe('entries of a transcript that is read in parts', () => {
  const drawn = (events: readonly AgentEvent[]) => createEntryMaker()(events, 'idle');
  const command = { ...aCommand('make'), timestamp: at(1) };
  const waiting = [
    command,
    aStatus('waiting_for_confirmation', at(2)),
    aStatus('running', at(30)),
    { ...aResult(command), timestamp: at(40) },
    { ...aMessage('Next'), timestamp: at(50) },
  ];
  const [build, test] = [aCommand('build'), aCommand('test')];
  const lists: Record<string, readonly AgentEvent[]> = {
    'an approval': waiting,
    'calls of tools': [
      aMessage('Hi'),
      aReport('c1', 'pending', { title: 'One' }),
      aMessage('And this'),
      aReport('c2', 'pending', { title: 'Two' }),
      aReport('c1', 'completed'),
      aReport('c2', 'failed'),
      aMessage('Done'),
    ],
    'what is said about steps afterwards': [
      build,
      aResult(build),
      test,
      aResult(test),
      aMessage('Done'),
      aHook(build.id, { text: 'Built' }),
      anEvent({ kind: 'risks', risks: { [test.id]: 'HIGH', other: 'HIGH' } }),
      aHook('', { text: 'For nothing' }),
      aHook('other'),
    ],
  };
  for (const [name, events] of Object.entries(lists))
    it(`are the same whichever part comes first: ${name}`, () => {
      const whole = drawn(events);
      for (let from = 0; from < events.length; from += 1)
        for (let to = from; to <= events.length; to += 1) {
          const maker = createEntryMaker();
          for (const part of [events.slice(from, to), events.slice(from)]) maker(part, 'running');
          assert.deepEqual(maker(events, 'idle'), whole, `from ${from} to ${to}`);
        }
    });

  it('have what hooks said, or their commands, as far as a card has room', () => {
    const stepOf = (...events: AgentEvent[]) => {
      const [entry] = drawn(events);
      assert.ok(entry?.kind === 'step');
      return entry;
    };
    const hooks = [
      aHook(command.id, { text: 'OK' }),
      aHook(command.id),
      aHook(command.id, { text: 'x'.repeat(5_000) }),
      aHook(command.id, { command: 'y'.repeat(5_000) }),
    ];
    const said = stepOf(command, ...hooks).hooks?.map(({ text }) => text) ?? [];
    assert.deepEqual(said.slice(0, 2), ['OK', './check']);
    assert.match(said[2]!, /^x{1000}\n· · ·\nx{1000}$/);
    assert.match(said[3]!, /^y{1000}\n· · ·\ny{1000}$/);
    const many = Array.from({ length: 21 }, (_, number) => aHook(command.id, { text: String(number) }));
    assert.deepEqual(
      stepOf(command, ...many).hooks?.map(({ text }) => text),
      Array.from({ length: 20 }, (_, number) => String(number)),
    );
  });

  it('have an error of a call without an ID, whatever actions have none', () => {
    const action = { ...aCommand('ls'), callId: '' };
    const error = anEvent({ kind: 'toolError', callId: '', tool: 'terminal', error: 'No' });
    assert.deepEqual(
      drawn([action, error]).map(({ kind }) => kind),
      ['step', 'error'],
    );
  });

  it('don’t run where an answer can’t be read, or the conversation went back', () => {
    const answer = anEvent({ kind: 'unread', why: 'odd', actionId: build.id });
    const states = (left: ReadonlySet<string>, ...events: AgentEvent[]) =>
      createEntryMaker()(events, 'running', new Set(), left).flatMap((entry) =>
        entry.kind === 'step' ? [entry.state] : [],
      );
    assert.deepEqual(states(new Set(), build, test), ['running', 'running']);
    assert.deepEqual(states(new Set(), build, test, answer), ['unanswered', 'running']);
    assert.deepEqual(states(new Set([test.id]), build, test, answer), ['unanswered', 'left']);
  });

  it('stay the same objects: steps that are over, and those of a time that doesn’t exist', () => {
    const maker = createEntryMaker();
    const same = (...lists: (readonly Entry[])[]) =>
      new Set(lists.map((entries) => entries.find(({ kind }) => kind === 'step'))).size === 1;
    const hi = aMessage('Hi');
    const error = anEvent({ kind: 'toolError', callId: 'c', tool: 'terminal', error: 'No' });
    for (const over of [
      [build, aResult(build), hi],
      [{ ...build, callId: 'c' }, error, hi],
    ])
      assert.ok(same(maker(over, 'running'), maker(over, 'idle'), maker(over, 'error', new Set([hi.id]))));
    const odd = [aMessage('Hi'), { ...aCommand('ls'), timestamp: '2026-13-45T99:99:99' }];
    assert.ok(same(maker(odd, 'running'), maker([...odd, aMessage('Hi')], 'running')));
  });

  it('have the time of what is before them if they have none that exists, or the first there is', () => {
    const odd = () => ({ ...aMessage('odd'), timestamp: '2026-13-45T99:99:99' });
    const [first, next] = [1, 2].map((second) => ({ ...aMessage(at(second)), timestamp: at(second) }));
    const times = (...events: AgentEvent[]) =>
      drawn(events).map((entry) => new Date(entry.at).getUTCSeconds());
    assert.deepEqual(times(odd(), first!, next!), [1, 1, 2]);
    assert.deepEqual(times(first!, next!, odd(), odd()), [1, 2, 2, 2]);
  });
});
