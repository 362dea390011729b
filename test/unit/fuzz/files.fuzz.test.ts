import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseExactly, stringifyExactly } from '../../../src/api/http/exactNumbers';
import { parseListing, parseListings } from '../../../src/features/sandboxChanges/model/listing';
import { mergeFiles } from '../../../src/features/changes/model/merge';
import { mergeMcpFile } from '../../../src/features/settings/model/import/export';
import { wellFormed } from '../../../src/shared/wellFormed';
import { parseMcpFile } from '../../../src/features/settings/model/import/parse';
import { atOnce } from '../changes/steps';
import { anyJson, fuzz, nearly } from './support';

const raw = ':100644 100644 aaaa bbbb M\0a.txt\0:000000 100644 0000 cccc A\0ü b.txt\0';
const listing = [
  '/repository',
  'https://a.example/b.git',
  'c'.repeat(40),
  'remote',
  'main',
  '4',
  '0',
  '0',
  '0',
  '0',
];
const answer = Buffer.from(`${listing.join('\0')}\0cccc${raw}`);
const framed = Buffer.concat([Buffer.from(`0\0${answer.length}\0`), answer, Buffer.from('0\0')]);
/** Bytes with a few of them replaced, added, or left out. */
const damaged = (valid: Uint8Array) =>
  fc
    .array(fc.tuple(fc.nat(valid.length), fc.nat(3), fc.uint8Array({ maxLength: 4 })), { maxLength: 5 })
    .map((changes) =>
      changes.reduce<Buffer>(
        (bytes, [at, removed, added]) =>
          Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]),
        Buffer.from(valid),
      ),
    );

/** A number in the one form that equal numbers share. */
function decimal(text: string): string {
  const [, sign, whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === ''
    ? '0'
    : `${sign}${short}e${Number(exponent) - part.length + digits.length - short.length}`;
}

describe('fuzz: files', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged(answer), damaged(framed));
  fuzz('a listing is read or refused', bytes, (given) => {
    for (const read of [parseListing(given), ...(parseListings(given)?.listed ?? [])])
      for (const { path } of read?.files ?? []) assert.equal(typeof path, 'string');
  });

  const line = fc.oneof(
    fc.constantFrom('a', 'b', '', '<<<<<<<', '=======', '>>>>>>>'),
    fc.string({ maxLength: 4 }),
  );
  const file = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, isEnded]) => Buffer.from(lines.join(end) + (isEnded ? end : '')));
  fuzz(
    'a merge with one changed side is that side, and so is one of two equal sides',
    fc.tuple(file, file),
    ([base, changed]) => {
      for (const [here, agent] of [
        [changed, base],
        [base, changed],
        [changed, changed],
      ] as const) {
        const { content, conflicts } = atOnce(mergeFiles(base, here, agent));
        assert.deepEqual([Buffer.from(content).toString(), conflicts], [changed.toString(), 0]);
      }
    },
  );

  const numbers = fc.oneof(
    fc.constantFrom('1', '-0', '1e400', '0.1', '12345678901234567890', '1.0', '1E5', '-1.50e-3'),
    fc.bigInt().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  );
  fuzz('numbers of JSON keep their digits', fc.tuple(numbers, anyJson), ([digits, other]) => {
    const source = `{"a":${digits},"b":${JSON.stringify(other)}}`;
    const [, kept = ''] = /^\{"a":(.+?),"b":/.exec(stringifyExactly(parseExactly(source))) ?? [];
    assert.equal(decimal(kept), decimal(digits));
    assert.deepEqual(
      (JSON.parse(stringifyExactly(parseExactly(source))) as { b: unknown }).b,
      // No half of a character is sent.
      (
        JSON.parse(source, (_, value: unknown) =>
          typeof value === 'string' ? wellFormed(value) : value,
        ) as { b: unknown }
      ).b,
    );
  });

  const exported = {
    inputs: [{ id: 'token', type: 'promptString', password: true }],
    servers: {
      a: { command: 'x', args: ['${input:token}'], env: { B: 'c' } },
      d: { url: 'https://a.example' },
    },
  };
  const text = (value: unknown) => JSON.stringify(value);
  const existing = fc.oneof(nearly(exported).map(text), anyJson.map(text), fc.string());
  fuzz(
    'servers are added to an existing file without loss, or it is refused',
    fc.tuple(existing, fc.boolean()),
    ([before, replace]) => {
      const merged = mergeMcpFile(before, text(exported), replace);
      if (!merged.ok) return;
      const namesIn = (source: string) => {
        const parsed = parseMcpFile(source);
        return parsed.ok ? parsed.servers.map(({ preview }) => preview.name) : [];
      };
      const after = namesIn(merged.text);
      for (const name of namesIn(before)) assert.ok(after.includes(name), name);
    },
  );
});
