import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bareInManifest, bareStrings } from '../support/l10n/bare';
import { behindEnglish, judgeTranslation } from '../support/l10n/judge';
import { english, translatedLocales, translation } from '../support/l10n/locales';
import { pseudo, pseudoLocale } from '../support/l10n/pseudo';
import { parse, sourceFiles } from '../support/l10n/sources';
import { extract } from '../support/l10n/strings';
import { projectFolder } from '../support/paths';

const file = (text: string) => [parse('src/sample.ts', text)];

describe('user-visible text', () => {
  const files = sourceFiles();
  const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;

  it('is always translatable in the code', () => {
    const { strings, problems } = extract(files);
    assert.deepEqual(problems, []);
    assert.ok(strings.length > 500, `${strings.length} strings`);
    assert.deepEqual(bareStrings(files), []);
  });

  it('uses keys in the manifest', () => {
    assert.deepEqual(bareInManifest(manifest), []);
  });

  it('is detected if not translatable', () => {
    const samples: [string, string][] = [
      [`void vscode.window.showInformationMessage('Saved.');`, 'Saved.'],
      ['void window.showErrorMessage(`Cannot save ${name}`);', 'Cannot save '],
      [`const row = { label: on ? 'Turn Off' : l10n.t('Turn On') };`, 'Turn Off'],
      [`const field = { help: () => 'What it is for.' };`, 'What it is for.'],
      [`progress.report({ message: 'Waiting for it' });`, 'Waiting for it'],
      [`item.tooltip = text ?? 'Nothing known';`, 'Nothing known'],
      ['const part = html`<p class="a b">Two words ${x}</p>`;', 'Two words'],
      ['const part = html`<button title="Close" @click=${() => go()}></button>`;', 'Close'],
    ];
    for (const [code, text] of samples) {
      const found = bareStrings(file(code));
      assert.deepEqual(found, [`src/sample.ts:1: “${text}”`], code);
    }
    assert.deepEqual(bareInManifest({ contributes: { views: { a: [{ id: 'a', name: 'Sandboxes' }] } } }), [
      'contributes.views.a[0].name: “Sandboxes”',
    ]);
  });

  it('does not include IDs, icons, addresses, and proper names', () => {
    const code = `const a = { title: l10n.t('Yes'), label: 'github', text: '$(vm) ', placeHolder: 'https://a.example' };
      const b = { label: 'GitHub' }; const c = html\`<code>mcp_config</code><div class="Two words">\${d}</div>\`;`;
    assert.deepEqual(bareStrings(file(code)), []);
  });

  it('is refused if it can’t be extracted or is created too early', () => {
    const samples: [string, RegExp][] = [
      [`const f = () => l10n.t(words);`, /needs a literal/],
      [`const label = l10n.t('Now');`, /before the language is known/],
      [`class A { static label = l10n.t('Now'); }`, /before the language is known/],
      [`const f = () => l10n.t('{0} of {1}', a);`, /has 2 placeholders and 1 values/],
    ];
    for (const [code, problem] of samples) {
      const { problems } = extract(file(code));
      assert.equal(problems.length, 1, code);
      assert.match(problems[0] ?? '', problem);
    }
  });
});

describe('translations', () => {
  const original = english();

  it('keep placeholders, links, code, and ellipses', () => {
    for (const locale of [pseudoLocale, ...translatedLocales()]) {
      assert.deepEqual(judgeTranslation(original, translation(locale)), [], locale);
    }
  });

  it('are listed when out of date, with English as the fallback', () => {
    const behind = translatedLocales().map(
      (locale) => [locale, behindEnglish(original, translation(locale))] as const,
    );
    for (const [locale, gaps] of behind) {
      if (gaps.length > 0) console.log(`      ${locale}: ${gaps.length} strings behind (npm run l10n)`);
    }
    assert.deepEqual(behindEnglish(original, translation(pseudoLocale)), []);
  });

  it('are reported when incomplete or invalid', () => {
    const from = {
      manifest: { a: 'See [it](command:x)…' },
      bundle: { 'Start {0}': 'Start {0}', Yes: 'Yes' },
    };
    const to = { manifest: { a: 'Sieh [es](command:y)' }, bundle: { 'Start {0}': 'Beginne', No: 'Nein' } };
    assert.deepEqual(judgeTranslation(from, to), [
      'the manifest: “a” has other links to commands than in English',
      'the manifest: “a” has other ellipses than in English',
      'the code: “Start {0}” has other placeholders than in English',
    ]);
    assert.deepEqual(behindEnglish(from, to), [
      'the code: “Yes” is not translated',
      'the code: “No” is translated but not used',
    ]);
  });

  it('keep the language of a new conversation’s message, which depends on the name of its editor', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
      contributes: { languages: { filenamePatterns: string[] }[] };
    };
    const bundles = [original, ...translatedLocales().map((locale) => translation(locale))];
    const patterns = bundles.map(({ bundle }) => `/${bundle['New Agent Conversation']}`);
    assert.deepEqual(contributes.languages[0]?.filenamePatterns, patterns);
  });

  it('are longer in the pseudo-locale, with other letters, and change only text', () => {
    assert.equal(pseudo('Pause {0}…'), '‹Påûšé {0}…···›');
    assert.equal(pseudo('{0}, {1}'), '{0}, {1}');
    assert.equal(
      pseudo('No key.\n[Connect…](command:agentWorkspace.connection.connect)'),
      '‹Ñö ķéý.···›\n[‹Çöññéçţ…···›](command:agentWorkspace.connection.connect)',
    );
    assert.equal(pseudo('Use `code` of https://a.example'), '‹Ûšé `code` öf https://a.example··········›');
  });
});
