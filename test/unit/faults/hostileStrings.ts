import assert from 'node:assert/strict';

/** What a service may put where people expect words. */
export const hostileStrings = {
  HTML: '<img src=x onerror=alert(1)><script>alert(1)</script><b>bold</b>',
  'a Markdown link': '[click here](https://evil.example/)',
  'a command link': '[click here](command:workbench.action.quit)',
  'a link in pieces': '[click\u200b here]\u202e\u001b[0m(command:workbench.action.quit)',
  'the name of an icon': '$(error) failed $(sync~spin)',
  ANSI: '\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\ \u009b2J',
  'turned direction': 'exe.\u202egpj\u2066x\u2069\u200f\u061c',
  'lines and control characters': 'a\r\nb\u2028c\u2029d\u0000e\u0007f\u0085g',
  'invisible characters': 'a\u200b\u2060\ufeff\u00ad\u{e0041}b',
  'half a character': 'a\ud83d',
  '1 MB': 'x'.repeat(1024 * 1024),
  '1 MB of escapes': '\u001b[31m'.repeat(200_000),
  '1 MB of emoji': '👩‍💻'.repeat(100_000),
};

/** One line, bounded, without anything that a terminal, a notification or a reader's eye would take for more than words. */
export function checkShown(words: string, longest: number): void {
  const { length } = Array.from(words);
  assert.ok(length <= longest, `${length} characters`);
  assert.doesNotMatch(words, /[\p{Cc}\p{Cs}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/u);
  assert.doesNotMatch(words, /\]\(/, 'a link');
  assert.doesNotMatch(words, /\$\([\w-]+(?:~\w+)?\)/, 'an icon');
}

/** The same for a text of several lines: as many as the `harmless` text in its place has. */
export function checkLinesShown(words: string, longest: number, harmless: string): void {
  const lines = words.split('\n');
  assert.equal(lines.length, harmless.split('\n').length, words);
  for (const line of lines) checkShown(line, longest);
}
