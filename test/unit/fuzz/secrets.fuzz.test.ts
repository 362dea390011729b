import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { concealing } from '../../../src/api/http/errorBody';
import { errorLines } from '../../../src/editor/logLine';
import { plainLines, plainText, visibleText } from '../../../src/shared/plainText';
import { terminalText } from '../../../src/shared/terminal';
import type { AgentEvent } from '../../../src/api/events/event';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { exportJson, exportMarkdown } from '../../../src/features/transcript/model/exportText';
import { createSecretMask } from '../../../src/features/transcript/model/secretMask';
import { ansiSpans } from '../../../src/features/conversation/page/ansi';
import { exposedCode } from '../../../src/shared/exposedCode';
import { aCommand, aMessage, anAction, aResult } from '../transcript/events';
import { limitTime } from './support';

/** Give the printed seed again to repeat a run. */
const seed = Number(process.env['SECRETS_FUZZ_SEED'] ?? process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['SECRETS_FUZZ_RUNS'] ?? process.env['FUZZ_RUNS'] ?? 1_000);

const letters = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/=.:@!$%&"\'\\#~ äß漢🔑',
);
const secrets = fc
  .array(fc.constantFrom(...letters, '\\b', '\\x41', '%41', '&lt;'), { minLength: 10, maxLength: 60 })
  .map((all) => all.join(''))
  // Enough of it has to be seen.
  .filter((secret) => solid(secret).length >= 10);

/** Put between two characters. */
const invisibles = fc.constantFrom(
  ...[
    '\x1b[0m',
    '\x1b[01;31m',
    '\x1b[m\x1b[K',
    '\x1b[2J',
    '\x9b1m',
    '\x1b]0;title\x07',
    '\x1b]8;;https://a.example\x1b\\',
  ],
  ...[
    '\x1bPq\x1b\\',
    '\x1b(B',
    '\x1b',
    '\0',
    '\x07',
    '\b',
    '\r',
    '\n',
    '\r\n',
    '\n  ',
    '\t',
    '\x7f',
    '\x85',
    '\u00a0',
  ],
  ...[
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u202e',
    '\u2028',
  ],
  ...[
    '\u2060',
    '\u2066',
    '\u206a',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ufff9',
    '\ufffc',
    '\u{e0001}',
    '\u{1d173}',
  ],
);

const code = (text: string, write: (code: number) => string) =>
  Array.from(text, (one) => (one.codePointAt(0)! < 0x80 ? write(one.codePointAt(0)!) : one)).join('');
const hexOf = (one: number, length: number) => one.toString(16).padStart(length, '0');
const encodings: Record<string, (text: string) => string> = {
  none: (text) => text,
  upper: (text) => text.replace(/[a-z]/g, (one) => one.toUpperCase()),
  json: (text) => JSON.stringify(text),
  jsonTwice: (text) => JSON.stringify({ a: JSON.stringify({ b: text }) }),
  unicode: (text) => code(text, (one) => `\\u${hexOf(one, 4)}`),
  address: (text) => encodeURIComponent(text),
  addressTwice: (text) => encodeURIComponent(encodeURIComponent(text)),
  addressWhole: (text) => code(text, (one) => `%${hexOf(one, 2)}`),
  html: (text) => code(text, (one) => `&#${one};`),
};
const unreadable: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  basic: (text) => Buffer.from(`user:${text}`).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
};

/** What a reader can put together from a text: its characters that show, without the white space. */
function solid(text: string): string {
  return visibleText(text)
    .replace(/[\s\p{C}\p{M}\u2800\ufffc\ufffd]/gu, '')
    .toLowerCase();
}

const withoutAll = (text: string) =>
  text.replace(
    /\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]/g,
    '',
  );

/** Everything that leaves, of a text from outside. */
const outlets: Record<string, (text: string, secret: string) => string> = {
  'a message of the page': (text, secret) =>
    masked(secret, aMessage(text, 'agent')).kind + entries(secret, aMessage(text)),
  'output in the page': (text, secret) => {
    const event = masked(secret, aResult(aCommand('x'), { text }));
    assert.ok(event.kind === 'observation');
    return ansiSpans(terminalText(event.result.text))
      .map((span) => span.text)
      .join('');
  },
  'a command in the page': (text, secret) => exposedCode(JSON.stringify(masked(secret, aCommand(text)))),
  'an argument and its name': (text, secret) =>
    JSON.stringify(masked(secret, anAction('X', { [text]: [{ a: text }] }))),
  'a Markdown export': (text, secret) => exported(secret, exportMarkdown, text),
  'a JSON export': (text, secret) => exported(secret, exportJson, text),
  'text for language models': (text, secret) => plainLines(exported(secret, exportMarkdown, text)),
  'a title': (text, secret) => plainText(createSecretMask(() => [secret]).text(text), 10_000),
  'a server’s words': (text, secret) => concealing([secret])(text),
  'the log': (text, secret) => errorLines(new Error(createSecretMask(() => [secret]).text(text))),
};

const masked = (secret: string, event: AgentEvent) => createSecretMask(() => [secret]).event(event);

const entries = (secret: string, event: AgentEvent) =>
  plainLines(JSON.stringify(createEntryMaker()([masked(secret, event)], 'idle')));

function exported(secret: string, write: typeof exportMarkdown, text: string): string {
  const action = aCommand(text);
  const events = [aMessage(text), action, aResult(action, { text })].map((event) => masked(secret, event));
  const head = { title: '', masked: 0, hasOlder: false, problem: '' };
  return write({ head, events, entries: createEntryMaker()(events, 'idle') });
}

describe('fuzz: secrets', () => {
  it(`are in nothing that leaves, whatever is between their characters (${numRuns} cases)`, function () {
    limitTime(this, numRuns * 100);
    console.log(`      SECRETS_FUZZ_SEED=${seed}`);
    const inserted = fc.array(fc.tuple(fc.nat(), invisibles), { maxLength: 12 });
    const inputs = fc.tuple(
      secrets,
      inserted,
      fc.constantFrom(...Object.keys(encodings)),
      fc.constantFrom(...Object.keys(outlets)),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(inputs, ([secret, between, encoding, outlet, around]) => {
        const parts = Array.from(secret);
        for (const [at, what] of between) {
          const place = at % (parts.length - 1);
          parts[place] = parts[place]! + what;
        }
        const text = `${around} ${encodings[encoding]!(parts.join(''))}\n${around}`;
        const shown = outlets[outlet]!(text, secret);
        for (const seen of [shown, withoutAll(shown)]) {
          assert.ok(!solid(seen).includes(solid(secret)), `${outlet}: ${JSON.stringify(text)}`);
          assert.ok(
            !solid(seen).includes(solid(encodings[encoding]!(secret))),
            `${outlet}: ${JSON.stringify(text)}`,
          );
        }
      }),
      { seed, numRuns },
    );
  });

  it(`are in nothing that leaves, encoded as a whole (${numRuns} cases)`, function () {
    limitTime(this, numRuns * 100);
    const inputs = fc.tuple(
      secrets,
      fc.constantFrom(...Object.keys(unreadable)),
      fc.constantFrom(...Object.keys(outlets)),
      fc.constantFrom('', '\n', '\x1b[m', '\r\n'),
    );
    fc.assert(
      fc.property(inputs, ([secret, encoding, outlet, wrap]) => {
        const whole = unreadable[encoding]!(secret);
        const shown = outlets[outlet]!(
          whole.replace(/.{20}/g, (part) => part + wrap),
          secret,
        );
        // A few characters at either end belong to what is around it as well.
        const own = solid(whole.slice(8, -6));
        fc.pre(own.length >= 6);
        assert.ok(!solid(shown).includes(own), `${outlet}: ${shown}`);
      }),
      { seed, numRuns },
    );
  });
});
