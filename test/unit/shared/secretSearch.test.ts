import assert from 'node:assert/strict';
import { secretForms } from '../../../src/shared/secretForms';
import { secretSearch } from '../../../src/shared/secretSearch';
import { everyCase } from '../../support/everyCase';

const secret = 'tvly-Canary+7b1e/xQ=9';
const find = secretSearch([secret], 8);
const hide = (text: string) => find(text, '####').text;

/** What can be between two characters of a text, and isn't seen. */
const between: [name: string, between: string][] = [
  ['a color', '\x1b[01;31m'],
  ['the colors of grep', '\x1b[m\x1b[K'],
  ['a color with colons', '\x1b[38:2::255:0:0m'],
  ['a one-byte control sequence', '\x9b31m'],
  ['a sequence that is cut off by another', '\x1b[31\x1b[0m'],
  ['a link', '\x1b]8;;https://a.example\x1b\\'],
  ['a title', '\x1b]0;a title\x07'],
  ['a device string', '\x1bP1$r0m\x1b\\'],
  ['a program’s command', '\x1b_Gf=100\x1b\\'],
  ['a private message in one byte', '\x9ehidden\x9c'],
  ['a charset', '\x1b(B'],
  ['a soft hyphen', '\u00ad'],
  ['a zero-width space', '\u200b'],
  ['joiners', '\u200c\u200d'],
  ['a change of direction', '\u202e'],
  ['a tag character', '\u{e0041}'],
  ['a variation selector', '\ufe0f'],
  ['a filler', '\u3164'],
  ['an empty Braille pattern', '\u2800'],
  ['an object’s place', '\ufffc'],
  ['an invisible note', '\u{1d159}'],
  ['a combining mark', '\u0336'],
  ['a private character', '\ue000'],
  ['an unassigned character', '\u0378'],
  ['half a pair', '\ud83d'],
  ['NUL', '\0'],
  ['other controls', '\x01\x7f\x85'],
  ['a line break of a terminal', '\r\n'],
  ['a line break with indentation', '\n      '],
  ['a line separator', '\u2028'],
  ['a backspace', '\b'],
  ['a carriage return', '\r'],
  ['a letter that is taken back', 'x\b'],
  ['letters that are taken back', 'xyz\b\b\b'],
  ['a colored letter that is taken back', '\x1b[31mx\x1b[0m\b'],
];

const utf8 = Buffer.from(secret);
const everyOther = (write: (code: number) => string) =>
  Array.from(secret, (one, index) => (index % 2 ? write(one.charCodeAt(0)) : one)).join('');

/** The secret in lines of 16 bytes, after their places. */
function dumped(program: string): string {
  const lines: string[] = [];
  for (let at = 0; at < utf8.length; at += 16) {
    const bytes = utf8.subarray(at, at + 16);
    const [text, hex] = [bytes.toString(), bytes.toString('hex')];
    if (program === 'xxd')
      lines.push(`${at.toString(16).padStart(8, '0')}: ${hex.replace(/(.{4})/g, '$1 ').trim()}  ${text}`);
    else if (program === 'od')
      lines.push(`${at.toString(8).padStart(7, '0')} ${hex.replace(/(..)/g, '$1 ').trim()}`);
    else {
      const all =
        `${hex.slice(0, 16).replace(/(..)/g, '$1 ')} ${hex.slice(16).replace(/(..)/g, '$1 ')}`.trim();
      lines.push(`${at.toString(16).padStart(8, '0')}  ${all}  |${text}|`);
    }
  }
  return lines.join('\n');
}

/** In lines of 16 after their places. */
function lined(write: (byte: number) => string): string {
  const all = Array.from({ length: Math.ceil(utf8.length / 16) }, (_, line) => line * 16);
  return all
    .map((at) => at.toString(8).padStart(7, '0') + Array.from(utf8.subarray(at, at + 16), write).join(''))
    .join('\n');
}

function base32(text: string): string {
  const bits = Array.from(Buffer.from(text), (one) => one.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** How programs write a secret. */
const written: [name: string, text: string][] = [
  ['in JSON', JSON.stringify({ a: secret })],
  ['in JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify({ a: secret })))],
  ['with a slash that is escaped', secret.replace('/', '\\/')],
  ['in JSON escapes', everyOther((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
  ['in JSON escapes of JSON', everyOther((code) => `\\\\u${code.toString(16).padStart(4, '0')}`)],
  ['in braces', everyOther((code) => `\\u{${code.toString(16)}}`)],
  ['in long escapes', everyOther((code) => `\\U${code.toString(16).padStart(8, '0')}`)],
  ['in hexadecimal escapes', everyOther((code) => `\\x${code.toString(16).padStart(2, '0')}`)],
  ['in octal escapes', everyOther((code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['in an address', encodeURIComponent(secret)],
  ['in an address in an address', encodeURIComponent(encodeURIComponent(encodeURIComponent(secret)))],
  ['in an address, each character', everyOther((code) => `%${code.toString(16).padStart(2, '0')}`)],
  ['in HTML, by number', everyOther((code) => `&#${code};`)],
  ['in HTML, by long numbers', everyOther((code) => `&#${String(code).padStart(9, '0')};`)],
  [
    'in HTML, by names',
    secret.replace(/[-+/=]/g, (one) => `&${{ '-': 'hyphen', '+': 'plus', '/': 'sol', '=': 'equals' }[one]};`),
  ],
  ...['unknown', 'constructor', 'toString'].map((name): [string, string] => [
    `around ${name} as a name of HTML`,
    `${secret.slice(0, 7)}&${name};${secret.slice(7)}`,
  ]),
  ['in escapes of scripts', everyOther((code) => `%u${code.toString(16).padStart(4, '0')}`)],
  ['in braces of Perl', everyOther((code) => `\\x{${code.toString(16)}}`)],
  ...[
    (number: number) => `${number}\t`.padStart(8),
    (number: number) => `${number}:`,
    (number: number) => `src/a.ts:${number}:`,
    (number: number) => `${number} │ `,
    (number: number) => `${number}→`.padStart(7),
  ].map((prefix): [string, string] => [
    `in lines after ${prefix(8)}`,
    (secret.match(/.{1,6}/g) ?? []).map((line, at) => prefix(at + 8) + line).join('\n'),
  ]),
  ['in HTML, hexadecimally', everyOther((code) => `&#x${code.toString(16)};`)],
  ['in Base64', utf8.toString('base64')],
  ['in Base64 for addresses', utf8.toString('base64url')],
  ...['', 'u:', 'user:', 'x-token:'].flatMap((before): [string, string][] => [
    [`after ${before} for Basic`, `Authorization: Basic ${Buffer.from(before + secret).toString('base64')}`],
    [`after ${before} and before more`, Buffer.from(`${before}${secret}\nmore`).toString('base64')],
  ]),
  ...['', 'x', 'Write-Output "'].map((before): [string, string] => [
    `in Base64 of UTF-16 after ${JSON.stringify(before)}`,
    Buffer.from(`${before}${secret}"`, 'utf16le').toString('base64'),
  ]),
  ['as mail writes it', everyOther((code) => `=${code.toString(16).toUpperCase().padStart(2, '0')}`)],
  ['in a line of mail that goes on', `${secret.slice(0, 7)}=\r\n${secret.slice(7)}`],
  ['in a dump of bytes', utf8.toString('hex').replace(/(..)/g, '$1 ')],
  ['in a dump of words', utf8.toString('hex').replace(/(....)/g, '$1 ')],
  ['in hexadecimal digits', utf8.toString('hex')],
  ['in upper-case digits', utf8.toString('hex').toUpperCase()],
  ['in upper case', secret.toUpperCase()],
  ['in wide letters', Array.from(secret, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join('')],
  [
    'in mathematical letters',
    secret.replace(/[a-z]/g, (one) => String.fromCodePoint(0x1d41a + one.charCodeAt(0) - 97)),
  ],
  ['in a JSON string with escaped colors', JSON.stringify(`${secret.slice(0, 7)}\x1b[31m${secret.slice(7)}`)],
  ['in a shell’s line that goes on', `${secret.slice(0, 7)}\\\n${secret.slice(7)}`],
  ['over other words', `XXXXXXXXXXXX\r${secret}`],
  ['with its beginning written last', `XXXXXXXXX${secret.slice(9)}\r${secret.slice(0, 9)}`],
  [
    'in bold as pagers write it in Markdown',
    `${secret.slice(0, 7)}**${secret.slice(7, 12)}**${secret.slice(12)}`,
  ],
  ['in a table that breaks it', `│ ${secret.slice(0, 9)} │\n│ ${secret.slice(9)} │`],
  [
    'in lines of a diff, a quotation, and comments',
    Array.from(secret)
      .join('\n+')
      .replace(/\n\+(.)\n/g, '\n> # $1\n'),
  ],
  ['as a list of characters', JSON.stringify(Array.from(secret))],
  ['in a shell’s quotes', `'${secret.slice(0, 7)}'"${secret.slice(7, 12)}"$'${secret.slice(12)}'`],
  ['as a sum of texts', `"${secret.slice(0, 7)}" +\n  "${secret.slice(7)}"`],
  [
    'with a found part in marks',
    `${secret.slice(0, 7)}<mark class="a">${secret.slice(7, 12)}</mark>${secret.slice(12)}`,
  ],
  ['with where it may break', `${secret.slice(0, 7)}<wbr>${secret.slice(7)}`],
  ['as bytes in JSON', JSON.stringify(utf8, null, 2)],
  ['as bytes of a program', Array.from(utf8, (one) => `0x${one.toString(16).padStart(2, '0')}`).join(', ')],
  ['as bytes with colons', utf8.toString('hex').replace(/(..)(?=.)/g, '$1:')],
  ['in Base64 twice', Buffer.from(utf8.toString('base64')).toString('base64')],
  ['in Base64 of hexadecimal digits', Buffer.from(utf8.toString('hex')).toString('base64')],
  ['in hexadecimal digits of Base64', Buffer.from(utf8.toString('base64')).toString('hex')],
  ['in hexadecimal digits twice', Buffer.from(utf8.toString('hex')).toString('hex')],
  ['in Base64 of UTF-16 in the other order', Buffer.from(secret, 'utf16le').swap16().toString('base64')],
  ...['', 'u', 'us', 'use', 'user', 'user:'].map((before): [string, string] => [
    `in Base32 after ${JSON.stringify(before)}`,
    base32(before + secret),
  ]),
  ['in binary digits', Array.from(utf8, (one) => one.toString(2).padStart(8, '0')).join(' ')],
  ['in short octal escapes', Array.from(utf8, (one) => `\\${one.toString(8)}`).join('')],
  ['in octal escapes of echo', Array.from(utf8, (one) => `\\0${one.toString(8)}`).join('')],
  ['as bytes in an object', JSON.stringify(Object.fromEntries(utf8.entries()))],
  ['as characters in an object', JSON.stringify(Object.fromEntries(Array.from(secret).entries()))],
  ...([4, 3] as const).map((width): [string, string] => [
    width === 4 ? 'as od -c shows it' : 'as od -b shows it',
    lined((one) =>
      width === 4 ? String.fromCharCode(one).padStart(4) : ` ${one.toString(8).padStart(3, '0')}`,
    ),
  ]),
  ...[0, 1].map((before): [string, string] => [
    `as words after ${before} bytes`,
    Buffer.from('x'.repeat(before) + secret + 'x'.repeat((before + secret.length) % 2))
      .swap16()
      .toString('hex')
      .replace(/(....)/g, ' $1'),
  ]),
  ...['xxd', 'hexdump', 'od'].map((program): [string, string] => [`as ${program} shows it`, dumped(program)]),
  ...['^[', 'ESC', '␛'].map((escape): [string, string] => [
    `colored, as programs show ${escape}`,
    `${escape}[01;31m${escape}[K${secret.slice(0, 7)}${escape}[m${escape}[K${secret.slice(7)}`,
  ]),
  ['in UTF-16 as cat shows it', Array.from(secret, (one) => `${one}^@`).join('')],
  ['in bold as pagers write it', Array.from(secret, (one) => `${one}\b${one}`).join('')],
];

describe('a search for secrets', () => {
  it('finds a secret whatever is between its characters', () =>
    everyCase(
      between,
      ([name]) => name,
      ([, hidden]) => {
        for (let at = 1; at < secret.length; at += 1)
          assert.equal(hide(`a ${secret.slice(0, at)}${hidden}${secret.slice(at)} b`).includes('####'), true);
        const all = hide(`a ${Array.from(secret).join(hidden)} b`);
        assert.doesNotMatch(all.replace(/[^\w+/=-]/g, ''), /tvly|Canary|7b1e|xQ=9/i);
      },
    ));

  it('finds a secret with signs that don’t show between its characters, however the bytes of these are written', () => {
    const writers: ((byte: number) => string)[] = [
      (byte) => `%${byte.toString(16).toUpperCase()}`,
      (byte) => `%25${byte.toString(16)}`,
      (byte) => `=${byte.toString(16).toUpperCase()}`,
      (byte) => `\\x${byte.toString(16)}`,
      (byte) => `\\${byte.toString(8)}`,
      (byte) => `&#${byte};`,
      (byte) => String.fromCharCode(byte),
    ];
    for (const sign of ['\u00ad', '\u200b', '\ufeff', '\u3164', '\u{1d159}', '\u0336'])
      for (const write of writers) {
        const hidden = Array.from(Buffer.from(sign), write).join('');
        for (let at = 1; at < secret.length; at += 1)
          assert.equal(hide(`a ${secret.slice(0, at)}${hidden}${secret.slice(at)} b`), 'a #### b', hidden);
        assert.equal(hide(`a ${Array.from(secret).join(hidden)} b`), 'a #### b', hidden);
      }
    for (const own of ['pässwörd-geheim-1', '秘密の鍵秘密の鍵abc', 'p@ss🔑word🔑x'])
      for (const text of [own, encodeURIComponent(own), encodeURIComponent(Array.from(own).join('\u200b'))])
        assert.equal(secretSearch([own], 8)(`a ${text} b`, '####').text, 'a #### b', text);
  });

  it('blots out all of a secret and of what is between its characters, and nothing else', () => {
    assert.equal(hide(`a \x1b[31mtvly-\x1b[m\x1b[KCanary+7b1e/\r\nxQ=9\x1b[0m b`), 'a \x1b[31m####\x1b[0m b');
    assert.equal(hide(`one\ntwo ${secret}\r\nthree\b`), 'one\ntwo ####\r\nthree\b');
    assert.equal(hide(`x=%41 k=${encodeURIComponent(secret)}&y=\\n`), 'x=%41 k=####&y=\\n');
  });

  it('finds a secret as programs write it', () =>
    everyCase(
      written,
      ([name]) => name,
      ([, text]) => {
        const shown = hide(`before\n${text}\nafter`);
        assert.match(shown, /^before\n.*####.*\nafter$/s);
        assert.doesNotMatch(shown, /canary|7b1e/i);
      },
    ));

  it('finds a secret that looks like escapes, of which little is left once they’re decoded', () => {
    const json = (text: string) => JSON.stringify(text).slice(1, -1);
    const writers = [json, encodeURIComponent, (text: string) => text.replaceAll('%', '%25')];
    for (const own of [
      'aaa\\bbb\\cc',
      'aaa\\aaa\\aa',
      '\\x41\\x42\\x43',
      '%41%42%43%44',
      '&lt;&lt;&lt;',
      'C:\\new\\t',
    ])
      for (const one of writers)
        for (const written of [own, one(own), one(one(own)), one(one(one(own)))])
          assert.equal(secretSearch([own], 8)(`a ${written} b`, '####').text, 'a #### b', written);
  });

  it('finds most of a long secret where the rest was cut off or masked', () => {
    for (const most of [secret.slice(0, 12), secret.slice(0, 15), 'TVLY-canary+7b1'])
      for (const end of ['…', '...', '****', '••••', 'XXXX'])
        assert.equal(hide(`Use ${most}${end}`), `Use ####${end}`, most + end);
    for (const text of [`${secret.slice(0, 11)}…`, secret.slice(0, 15), `${secret.slice(0, 15)}. And`])
      assert.equal(hide(text), text);
    assert.equal(secretSearch([secret.repeat(2)], 8)(`${secret.slice(0, 15)}…`, '#').places, 0);
    // Half of it is enough.
    assert.equal(secretSearch(['q7Rw2xK9mZ4tBv8nLc3dPf6h'], 8)('q7Rw2xK9mZ4t…', '#').places, 1);
    assert.equal(secretSearch(['q7Rw2xK9mZ4tBv8nLc3dPf6hA'], 8)('q7Rw2xK9mZ4t…', '#').places, 0);
  });

  it('finds a secret in a text that a terminal doesn’t show', () =>
    everyCase(
      ['\x1b]0;', '\x1b]8;;https://a.example/?k=', '\x1bP', '\x1b^', '\x9d0;', '\x1b]0;\x1b[31m'],
      JSON.stringify,
      (start) => {
        assert.equal(hide(`${start}${secret}\x07 b`), `${start}####\x07 b`);
        assert.doesNotMatch(hide(`${start}${secret.slice(0, 6)}\x1b[m${secret.slice(6)}`), /Canary/);
      },
    ));

  it('finds each line of a secret of several lines, as in diffs and numbered listings', () => {
    const body = ['MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB'];
    const key = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----\n`;
    const hideKey = (text: string) => secretSearch([key], 8)(text, '####').text;
    assert.equal(hideKey(`a ${key}b`), 'a ####\nb');
    assert.equal(hideKey(`+${body.join('\n+')}\n`), '+####\n+####\n');
    assert.equal(hideKey(`     2\t${body[0]}\n     3\t${body[1]}`), '     2\t####\n     3\t####');
    assert.equal(hideKey('-----BEGIN PRIVATE KEY-----'), '-----BEGIN PRIVATE KEY-----');
  });

  it('blots out secrets that overlap, and counts each place once', () => {
    const both = secretSearch(['abcdefghijkl', 'ghijklmnopqr', 'cdefghij'], 8);
    assert.deepEqual(both('1 abcdefghijklmnopqr 2 cdefghij', '#'), { text: '1 # 2 #', places: 2 });
    assert.deepEqual(both('abcdefghijklabcdefghijkl', '#'), { text: '##', places: 2 });
  });

  it('leaves text without secrets as it is', () => {
    for (const text of [
      '',
      'tvly, canary, 7b1e, and xQ',
      '<b>tvly</b> 00000000: 7476 6c79',
      'tvly-Canary+7b1e/xQ=',
      'a\rb\bc',
      '\x1b]0;title',
      'C:\\new\\table %41 &amp;',
    ])
      assert.deepEqual(find(text, '####'), { text, places: 0 });
    assert.deepEqual(secretSearch([], 8)(secret, '####'), { text: secret, places: 0 });
    assert.deepEqual(secretSearch(['', 'short', 'a \t b \n c'], 8)('a b c short', '#').places, 0);
  });

  it('finds a secret of characters that don’t show, exactly as it is', () => {
    const blank = '\u200b\u200c a\u200b\u200c b';
    assert.deepEqual(secretSearch([blank], 8)(`x${blank}y`, '#'), { text: 'x#y', places: 1 });
  });

  it('looks for a long secret in few forms, which cost as much as it’s long', () => {
    const long = Array.from({ length: 1_000 }, (_, at) => `part ${at * 7919}\n`).join('');
    assert.ok(secretForms(long).join('').length < 25 * long.length);
    const search = secretSearch([long], 8);
    for (const text of [long, JSON.stringify(long), Buffer.from(long).toString('base64')])
      assert.equal(search(`a ${text} b`, '•').places, 1);
  });

  it('takes one look at each character, however many secrets there are and however long the text is', () => {
    const secrets = Array.from({ length: 200 }, (_, number) => `sk-proj-${number}-${'k'.repeat(40)}`);
    const many = secretSearch(secrets, 8);
    for (const part of [
      'sk-proj-',
      'k',
      '\x1b[',
      '\x1b]',
      '\r',
      '\b',
      'a\b',
      '\\',
      '%25',
      '&amp;',
      '\u2028',
      '\u200b',
      '\xe2\x80',
      '%E2%80%8B',
      '\n',
    ])
      assert.equal(many(part.repeat(200_000 / part.length), '#').places, 0);
  });
});
