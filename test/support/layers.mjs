import { posix } from 'node:path';

const anyFeature = ['state', 'platform', 'api', 'shared', 'ids'];

/**
 * What each part of src may import besides itself. Both the linter and a test get the rule from here.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const mayImport = {
  extension: ['shell'],
  shell: ['compose', 'views', 'platform', 'ids', 'lazily'],
  compose: ['commands', 'tools', 'views', 'panels', ...anyFeature, 'lazily'],
  commands: anyFeature,
  tools: anyFeature,
  views: anyFeature,
  panels: anyFeature,
  state: ['api', 'shared'],
  platform: ['api', 'shared', 'ids'],
  api: ['shared'],
  webview: ['shared'],
  shared: [],
  ids: [],
  lazily: [],
};

/** Parts that also run in a browser, and parts that must not depend on the editor. */
const browserSafe = ['shared', 'ids', 'lazily', 'webview'];
const editorFree = ['api', 'state', ...browserSafe];

/**
 * Parts whose folders are features, which must not import one another, and the features that all others may use.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ofFeatures = { commands: [], views: [], panels: [], api: ['http', 'events'], webview: ['kit'] };

/**
 * Why a file of src must not import `target`; undefined if it may.
 * @param {string} file path inside src, with slashes
 * @param {string} target the import's specifier
 * @returns {string | undefined}
 */
export function refusedImport(file, target) {
  const [part, feature] = placeOf(file);
  const allowed = mayImport[part];
  if (allowed === undefined) return `src/${part} is not a known part of the layout`;
  if (!target.startsWith('.')) {
    if (editorFree.includes(part) && target === 'vscode') return `${part} must not import the editor`;
    const isNode = /^(node:|undici)/.test(target);
    return browserSafe.includes(part) && isNode ? `${part} also runs in a browser` : undefined;
  }
  const [other, otherFeature] = placeOf(posix.join(posix.dirname(file), target));
  if (other !== part) return allowed.includes(other) ? undefined : `${part} must not import ${other}`;
  const isSideways =
    feature && otherFeature && feature !== otherFeature && ofFeatures[part]?.includes(otherFeature) === false;
  return isSideways ? `${part}/${feature} must not import ${part}/${otherFeature}` : undefined;
}

/**
 * The part of src that a path belongs to, and the folder within that.
 * @param {string} path
 * @returns {[part: string, feature: string | undefined]}
 */
function placeOf(path) {
  const [part = '', ...within] = path.replace(/\.ts$/, '').split('/');
  return [part, within.length > 1 ? within[0] : undefined];
}

/**
 * The rule for ESLint.
 * @type {import('eslint').Rule.RuleModule}
 */
export const layers = {
  create(context) {
    const [, file] = context.filename.replaceAll('\\', '/').split('/src/');
    /** @param {import('eslint').Rule.Node & { source?: unknown }} node */
    const check = (node) => {
      const target = Object(node.source).value;
      const message = file && typeof target === 'string' && refusedImport(file, target);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
