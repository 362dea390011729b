import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { english } from '../support/l10n/locales';
import { projectFolder } from '../support/paths';

/** Words that a test waits for or presses: a literal of at least three words. */
const quotes =
  /\b(?:getByText|waitFor|waitForMessage|press|choose|chose|pick)\(\s*(['"])((?:(?!\1).)+? (?:(?!\1).)+? (?:(?!\1).)+?)\1/g;

/** Words that neither the product nor a fixture has in one piece: the editor’s own, or joined of several. */
const joined = new Set([
  'Message 0 of part 0',
  'Select a walkthrough',
  'URL to open',
  'You asked: What have you done?',
  'servers exported. Secrets were left out',
  'tracker-key: Key of the tracker',
  '“Started in the meantime”',
]);

/** How many characters of `words` are a text’s own where `words` is part of that text with its placeholders filled in. */
function ownCharacters(words: string, text: string): number {
  const tokens = text
    .split(/\{\d+\}/)
    .flatMap((part, index) => [...(index > 0 ? [''] : []), ...Array.from(part)]);
  let states = new Map(tokens.map((_, index) => [index, 0]));
  for (const character of words) {
    const next = new Map<number, number>();
    const reach = (index: number, own: number) => next.set(index, Math.max(next.get(index) ?? 0, own));
    for (const [start, own] of states) {
      let index = start;
      for (; tokens[index] === ''; index += 1) reach(index, own);
      if (tokens[index] === character) reach(index + 1, own + 1);
    }
    states = next;
  }
  return Math.max(0, ...states.values());
}

/** Whether a text of the product says `words`, most of which must be its own. */
const isSaid = (words: string, texts: readonly string[]) =>
  texts.some((text) => text.includes(words)) ||
  texts.some((text) => ownCharacters(words, text) >= words.length * 0.3);

// Tests in an editor run seldom; a text that was reworded must not wait for that.
describe('words that tests in an editor quote', () => {
  const { manifest, bundle } = english();
  const texts = [...Object.values(manifest), ...Object.values(bundle)];
  const sources = readdirSync(path.join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, source: readFileSync(path.join(projectFolder, 'test', name), 'utf8') }));
  const all = sources.map(({ source }) => source).join('\n');
  const isQuotedOnly = (words: string) =>
    all.split(words).length - 1 === [...all.matchAll(quotes)].filter((quote) => quote[2] === words).length;

  it('are said by the product, or are the test’s own', () => {
    const found: string[] = [];
    let count = 0;
    for (const { name, source } of sources.filter((one) => /^(?:ui|host)\b/.test(one.name)))
      for (const [, , words = ''] of source.matchAll(quotes)) {
        count += 1;
        if (!joined.has(words) && !isSaid(words, texts) && isQuotedOnly(words))
          found.push(`${name}: “${words}”`);
      }
    assert.deepEqual(found, []);
    assert.ok(count > 150, `${count} quotes`);
  });

  it('are found when the product says something else now', () => {
    const said = ['Deleted {0}. Its files stay.', '{0}: {1}'];
    for (const words of ['Deleted Report. Its files', 'files stay.'])
      assert.equal(isSaid(words, said), true, words);
    for (const words of ['Deleted Report. All of its files', 'Report: sends to new conversations'])
      assert.equal(isSaid(words, said), false, words);
  });
});
