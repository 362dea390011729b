import tseslint from 'typescript-eslint';
import { layers } from './test/support/layers.mjs';

/**
 * Which compilation has the types of the files. A file looks for its own in all that are named, and making one takes
 * long.
 * @param {string[]} project
 */
const typesOf = (...project) => ({
  languageOptions: { parserOptions: { project, tsconfigRootDir: import.meta.dirname } },
});

export default tseslint.config(
  { ignores: ['dist/', 'docs/api/', 'out/', '.vscode-test/', '.screenshots/', 'media/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
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
  {
    files: ['src/**/*.ts'],
    ...typesOf('./tsconfig.json', './src/tsconfig.pages.json'),
    plugins: { layout: { rules: { layers } } },
    rules: {
      'layout/layers': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        {
          object: 'z',
          property: 'catch',
          message:
            'Use caught() of src/shared/caught.ts: z.catch brings all helpers of zod into the package.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    ...typesOf('./test/tsconfig.json'),
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
