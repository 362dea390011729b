import tseslint from 'typescript-eslint';

/**
 * Imports go one way (see "Layout" in the README). Each folder of src names what it must not import.
 * `test/unit/layout.test.ts` holds the same rule over the real import graph.
 */
const forbidden = {
  shared: ['vscode', 'node:*', 'undici', '../**'],
  api: [
    'vscode',
    '**/state/**',
    '**/platform/**',
    '**/views/**',
    '**/commands/**',
    '**/settingsPanel/**',
    '**/webview/**',
  ],
  state: [
    'vscode',
    '**/platform/**',
    '**/views/**',
    '**/commands/**',
    '**/settingsPanel/**',
    '**/webview/**',
  ],
  platform: ['**/state/**', '**/views/**', '**/commands/**', '**/settingsPanel/**', '**/webview/**'],
  views: ['**/commands/**', '**/settingsPanel/**', '**/webview/**'],
  commands: ['**/views/**', '**/settingsPanel/**', '**/webview/**'],
  tools: ['**/views/**', '**/commands/**', '**/settingsPanel/**', '**/webview/**'],
  settingsPanel: ['**/views/**', '**/commands/**', '**/webview/**'],
  webview: [
    'vscode',
    'node:*',
    'undici',
    '**/api/**',
    '**/state/**',
    '**/platform/**',
    '**/views/**',
    '**/commands/**',
    '**/settingsPanel/**',
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'docs/api/', 'out/', '.vscode-test/', '.screenshots/', 'media/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/webview/tsconfig.json', './test/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  ...Object.entries(forbidden).map(([folder, group]) => ({
    files: [`src/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group, message: `src/${folder} must not import this; see Layout in the README.` }] },
      ],
    },
  })),
  {
    files: ['src/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
