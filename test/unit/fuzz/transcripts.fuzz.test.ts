import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { eventSchema } from '../../../src/api/events/schema';
import { parseToPage } from '../../../src/shared/conversationMessages';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { exportJson, exportMarkdown } from '../../../src/features/transcript/model/exportText';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { ansiSpans } from '../../../src/features/conversation/page/ansi';
import { parseMarkdown } from '../../../src/features/conversation/page/markdown';
import { anyJson, fuzz, nearly } from './support';

const common = { id: 'e1', timestamp: '2026-01-02T03:04:05.678901', source: 'agent' };
const text = (words: string) => [{ type: 'text', text: words }];
const action = (input: Record<string, unknown>) => ({
  ...common,
  kind: 'ActionEvent',
  tool_name: 'terminal',
  tool_call_id: 'c1',
  tool_call: { name: 'terminal', arguments: '{}' },
  thought: text('why'),
  security_risk: 'LOW',
  action: input,
});
const observation = (result: Record<string, unknown>) => ({
  ...common,
  id: 'e2',
  kind: 'ObservationEvent',
  action_id: 'e1',
  tool_call_id: 'c1',
  observation: result,
});
const events = [
  {
    ...common,
    kind: 'MessageEvent',
    llm_message: { role: 'user', content: text('**a** `b` [c](https://d)') },
  },
  action({ kind: 'TerminalAction', command: 'ls', is_input: false }),
  action({ kind: 'FileEditorAction', command: 'str_replace', path: '/a', old_str: 'b', new_str: 'c' }),
  action({ kind: 'TaskTrackerAction', task_list: [{ title: 'a', notes: '', status: 'todo' }] }),
  action({ kind: 'MCPToolAction', data: { a: 1 } }),
  observation({
    kind: 'TerminalObservation',
    content: text('\x1b[1mok'),
    exit_code: 0,
    metadata: { suffix: 's' },
  }),
  observation({
    kind: 'FileEditorObservation',
    content: text('ok'),
    path: '/a',
    old_content: 'b',
    new_content: 'c',
  }),
  { ...common, kind: 'AgentErrorEvent', error: 'e', tool_call_id: 'c1' },
  { ...common, kind: 'UserRejectObservation', action_id: 'e1', rejection_reason: 'r' },
  { ...common, kind: 'ConversationStateUpdateEvent', key: 'execution_status', value: 'idle' },
  { ...common, kind: 'Condensation', summary: 's', forgotten_event_ids: ['x'] },
  { ...common, kind: 'SomethingNew', more: { a: [1] } },
];
const anEvent = fc.oneof(anyJson, ...events.map(nearly));

describe('fuzz: transcripts', () => {
  fuzz(
    'any events become entries that the page takes, and exports',
    fc.array(anEvent, { maxLength: 6 }),
    (json) => {
      const mask = createSecretMask(() => ['canary-secret']);
      const read = json.flatMap((one) => eventSchema.safeParse(one).data ?? []).map((one) => mask.event(one));
      const entries = createEntryMaker()(read, 'idle');
      const sent = { type: 'entries', at: 0, removed: 0, added: entries, hasOlder: false };
      const parsed = parseToPage(structuredClone(sent));
      assert.ok(parsed.ok, JSON.stringify(parsed));
      const head = { title: '', masked: 0, hasOlder: false, problem: '' };
      for (const write of [exportMarkdown, exportJson])
        assert.equal(typeof write({ head, events: read, entries }), 'string');
    },
  );

  const written = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...['# ', '- ', '1. ', '> ', '`', '```', '**', '_', '~~', '|', '---', '\n', '\n\n', '\t'],
        ),
        fc.constantFrom(
          ...['[a](', ')', '![', '](javascript:', 'https://a.example', '<b>', '&amp;', '\\', '\r', '[x]'],
        ),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));
  fuzz('Markdown becomes blocks whose links are web addresses', written, (source) => {
    const links = [...JSON.stringify(parseMarkdown(source)).matchAll(/"url":"([^"]*)/g)];
    for (const [, url] of links) assert.match(url ?? '', /^https?:/);
  });

  const codes = fc.constantFrom(
    ...['\x1b[', '\x1b]', '\x1b', '0m', '1;31m', '38;5;', '48;2;1;2;', 'K', '\x07', '\r', '\n'],
  );
  const output = fc.array(fc.oneof(codes, fc.string({ maxLength: 5 })), { maxLength: 30 });
  fuzz('terminal output becomes spans without control characters', output, (parts) => {
    const spans = ansiSpans(parts.join(''));
    for (const span of spans) assert.doesNotMatch(span.text, /\x1b/);
  });
});
