import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { tokensOf } from '../../../../src/features/conversation/page/lexer';
import { everyCase } from '../../../support/everyCase';

/** The tokens with a color, as their kinds’ first letters and their texts. */
const colored = (code: string, language: string) =>
  tokensOf(code, language).flatMap(({ kind, text }) => (kind === '' ? [] : [`${kind[0]}:${text}`]));

describe('code in colors', () => {
  it('knows comments, strings, numbers, and keywords', () =>
    everyCase(
      [
        ['ts', "const a = 'it\\'s'; // 12", ['k:const', "s:'it\\'s'", 'c:// 12']],
        ['js', '/* if */ `a\n${b}` + 0x1f.5', ['c:/* if */', 's:`a\n${b}`', 'n:0x1f.5']],
        ['python', "def f(): return f'x' # don't", ['k:def', 'k:return', "s:'x'", "c:# don't"]],
        ['py', '"""if\n1"""\nx = None', ['s:"""if\n1"""', 'k:None']],
        ['bash', 'if [ $# -gt 2 ]; then echo "${#a}"; fi', ['k:if', 'n:2', 'k:then', 's:"${#a}"', 'k:fi']],
        ['yaml', "name: it's # here\non: true", ['c:# here', 'k:true']],
        ['SQL', 'Select 1 -- all\nFROM t', ['k:Select', 'n:1', 'c:-- all', 'k:FROM']],
        ['rust', "fn f<'a>(x: &'a str) { 'x' }", ['k:fn', "s:'x'"]],
        ['go', 'func main() { return 1.5 }', ['k:func', 'k:return', 'n:1.5']],
        ['json', '{"a": [1, true]}', ['s:"a"', 'n:1', 'k:true']],
        ['html', '<a href="b"><!-- c --></a>', ['s:"b"', 'c:<!-- c -->']],
        ['css', 'a { color: "x" } /* y', ['s:"x"', 'c:/* y']],
      ] as const,
      ([language, code]) => `${language} ${code}`,
      ([language, code, expected]) => assert.deepEqual(colored(code, language), expected),
    ));

  it('leaves text of other languages in one piece', () => {
    for (const language of ['', 'text', 'constructor', '__proto__', 'brainfuck'])
      assert.deepEqual(tokensOf('if (1) "a"', language), [{ kind: '', text: 'if (1) "a"' }]);
  });

  it('loses no part of any text', () => {
    const parts = fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '\n',
      '/*',
      '*/',
      '//',
      '#',
      '--',
      '<!--',
      'if',
      '1',
      ' ',
      'é',
      '𝒳',
    );
    const code = fc.array(parts, { maxLength: 60 }).map((all) => all.join(''));
    fc.assert(
      fc.property(code, fc.constantFrom('ts', 'rust', 'py', 'sql', 'html'), (text, language) => {
        assert.equal(
          tokensOf(text, language)
            .map((one) => one.text)
            .join(''),
          text,
        );
      }),
    );
  });

  // In proportion to the square of the text, each would take minutes, and the test would never end.
  it('takes time in proportion to the text, whatever it is', () => {
    const most = 300_000;
    for (const part of ['"', "'", '`', "'\\'", '/*', '"""', '<!--', '#', 'a', '1.', '\\', "a'", '$'])
      for (const language of ['ts', 'rust', 'py', 'sql', 'html']) {
        const code = part.repeat(most / part.length);
        assert.equal(
          tokensOf(code, language).reduce((length, { text }) => length + text.length, 0),
          code.length,
          `${part} in ${language}`,
        );
      }
  });
});
