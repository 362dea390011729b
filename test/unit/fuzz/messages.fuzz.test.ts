import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseHostMessage, parseWebviewMessage } from '../../../src/features/settings/shared/messages';
import { anyJson, fuzz, lengthOfNone, nearly } from './support';

const edits = { values: { agent: 'a' }, secrets: { llm_api_key: 'clear' }, mcpServers: null };
const messages = [
  { type: 'ready', kept: { document: 'd', steps: 0, edits } },
  { type: 'edits', document: 'd', steps: 0, revision: 1, edits },
  { type: 'save', document: 'd', steps: 0, revision: 1, edits, choices: { a: 'mine' } },
  { type: 'replaceSecret', document: 'd', target: { at: 'field', field: 'llm_api_key' } },
  { type: 'clearSecret', document: 'd', target: { at: 'mcpEnv', id: 'a', name: 'K' } },
  { type: 'replaceProviderToken', document: 'd', name: 'gitlab', host: null },
  { type: 'parkServer', document: 'd', id: 'a' },
  { type: 'failed', message: 'm', nextStep: 'n' },
  { type: 'test', id: 'a', about: ['sse'], result: { ok: false, message: 'm' } },
  { type: 'review', groups: [{ title: 't', changes: [{ label: 'l', before: 'b', after: 'a' }] }], notes: [] },
];
const anyMessage = fc.oneof(anyJson, ...messages.map(nearly));

describe('fuzz: messages both ways', () => {
  for (const [who, parse] of [
    ['the extension host', parseWebviewMessage],
    ['the form', parseHostMessage],
  ] as const) {
    fuzz(
      `${who} accepts a message unchanged or refuses it with a short reason`,
      anyMessage,
      (data) => {
        const parsed = parse(data);
        if (parsed.ok) {
          assert.deepEqual(JSON.parse(JSON.stringify(parsed.message)), JSON.parse(JSON.stringify(data)));
        } else {
          assert.ok(parsed.reason.length < 2_000);
        }
      },
      [
        { type: 'clearProvider', document: 'd', name: lengthOfNone },
        {
          type: 'edits',
          document: 'd',
          steps: 0,
          revision: 1,
          edits: { ...edits, mcpServers: lengthOfNone },
        },
        { type: 'failed', message: lengthOfNone, nextStep: '' },
      ],
    );
  }
});
