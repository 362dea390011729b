import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactDigits, parseExactly, stringifyExactly } from '../../../../src/api/http/exactNumbers';

describe('numbers beyond the precision of JavaScript', () => {
  const kept = [
    '12345678901234567890',
    '-9007199254740993',
    '1e400',
    '-1E+400',
    '1e-400',
    '0.12345678901234567890',
  ];
  for (const digits of kept)
    it(`round-trips ${digits} at any depth`, () => {
      const json = `{"a":${digits},"b":[1,{"c":${digits}}],"d":"${digits}","e\\"":${digits}}`;
      const value = parseExactly(json) as { a: unknown; d: unknown };
      assert.equal(stringifyExactly(value), json);
      assert.equal(exactDigits(value.a), digits);
      assert.equal(value.d, digits);
    });

  const held = [
    '0',
    '-0',
    '0.0',
    '1.50',
    '1e3',
    '100',
    '9007199254740992',
    '1e21',
    '0.1',
    '5e-324',
    '1.0E+2',
    '0.00123e5',
    '1.050e1',
    '0e400',
  ];
  for (const digits of held)
    it(`parses ${digits} as an ordinary number`, () =>
      assert.equal(parseExactly(digits), JSON.parse(digits)));

  it('does not parse strings as numbers', () => {
    const { a } = parseExactly('{"a":1e400}') as { a: string };
    const forged = JSON.stringify({ b: a.replace(/[\da-f]{8}-/, '00000000-'), c: 'number 1e400' });
    assert.equal(stringifyExactly(parseExactly(forged)), forged);
    assert.equal(exactDigits('number 1e400'), undefined);
  });

  it('leaves all other JSON unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        assert.deepEqual(parseExactly(json), JSON.parse(json));
        assert.equal(stringifyExactly(parseExactly(json)), json);
      }),
    );
  });

  it('sends no half of a character, which a server would refuse with everything else', () => {
    const pair = '\u{1f600}';
    for (const [text, sent] of [
      [`a${pair[0]}`, 'a\ufffd'],
      [`${pair[1]}a`, '\ufffda'],
      [`${pair[1]}${pair[0]}`, '\ufffd\ufffd'],
      [`a${pair}b`, `a${pair}b`],
      ['\\ud83d', '\\ud83d'],
      ['\\\ud83d"', '\\\ufffd"'],
    ])
      assert.deepEqual(JSON.parse(stringifyExactly({ a: [{ text }], n: 1.5 })), {
        a: [{ text: sent }],
        n: 1.5,
      });
    const digits = '{"a":1e400,"b":"\\ud83d"}';
    assert.equal(stringifyExactly(parseExactly(digits)), '{"a":1e400,"b":"\ufffd"}');
  });

  it('round-trips any digits', () => {
    const digits = fc.stringMatching(/^-?[1-9]\d{0,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        const back = stringifyExactly(parseExactly(text));
        assert.ok(back === text || Number(back) === Number(text), `${text} came back as ${back}`);
        if (back !== text) assert.equal(exactDigits(parseExactly(text)), undefined);
      }),
    );
  });
});
