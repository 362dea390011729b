import { posix } from 'node:path';

/**
 * What each part of src may import besides itself. Both the linter and a test get the rule from here.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const parts = {
  extension: ['shell'],
  shell: ['compose', 'editor', 'ids', 'lazily'],
  compose: ['features', 'editor', 'core', 'api', 'shared', 'ids', 'lazily'],
  features: ['editor', 'core', 'api', 'shared', 'ids'],
  editor: ['core', 'api', 'shared', 'ids'],
  core: ['api', 'shared', 'ids'],
  api: ['shared'],
  shared: [],
  ids: [],
  lazily: [],
};

/**
 * The features, and which others each may use. A feature may only use those above it, so there is no circle.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const rooms = {
  transcript: [],
  sandboxChanges: ['transcript'],
  targets: ['sandboxChanges'],
  managing: ['targets'],
  live: ['transcript', 'sandboxChanges', 'targets'],
  changes: ['sandboxChanges', 'targets', 'live'],
  context: [],
  sandboxes: ['targets'],
  start: ['transcript', 'sandboxChanges', 'targets', 'live', 'changes', 'context', 'sandboxes'],
  agentProfiles: ['targets', 'managing', 'start'],
  attention: ['targets', 'start'],
  automations: ['targets', 'live', 'attention'],
  compare: ['transcript', 'sandboxChanges', 'targets', 'live', 'changes', 'start'],
  connection: ['targets'],
  place: ['sandboxChanges', 'targets', 'live', 'sandboxes'],
  conversation: ['transcript', 'live', 'context', 'start', 'place'],
  conversations: ['targets', 'start', 'attention'],
  secrets: ['managing'],
  profiles: ['targets', 'managing', 'secrets'],
  providerConnections: ['targets', 'managing'],
  search: ['transcript', 'live'],
  settings: [],
  skills: ['targets', 'managing'],
  usage: [],
  tools: [
    ...['transcript', 'sandboxChanges', 'live', 'changes', 'sandboxes', 'start'],
    ...['compare', 'search', 'usage', 'place', 'automations'],
  ],
  workspaces: ['targets'],
};

/**
 * The layers of a feature, and which others of the same feature each may use. What lies in none of these folders
 * may use all but the page.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layersOfRoom = {
  model: ['shared'],
  rows: ['model', 'shared'],
  commands: ['rows', 'model', 'shared'],
  panel: ['commands', 'rows', 'model', 'shared'],
  page: ['shared'],
  shared: [],
};

/** What a feature shows to others: `index` has what needs no editor, and `editor` the rest. */
const faces = ['index', 'editor'];

/**
 * Folders of other parts that must not import one another, and those that all others may use.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const sideways = { api: ['http', 'events'] };

/** @param {string} file */
const isBrowserSide = (file) =>
  /^(?:shared|core\/kit|features\/[^/]+\/(?:page|shared))\/|^(?:ids|lazily)(?:\.ts)?$/.test(file);

/** @param {string} file */
const isEditorFree = (file) =>
  isBrowserSide(file) || /^(?:api|core)\/|^features\/[^/]+\/(?:model\/|index(?:\.ts)?$)/.test(file);

/**
 * Why a file of src must not import `target`; undefined if it may.
 * @param {string} file path inside src, with slashes
 * @param {string} target the import's specifier
 * @returns {string | undefined}
 */
export function refusedImport(file, target) {
  const [part = '', ...within] = namesOf(file);
  const allowed = parts[part];
  if (allowed === undefined) return `src/${part} is not a known part of the layout`;
  if (!target.startsWith('.')) {
    if (isEditorFree(file) && target === 'vscode') return `${file} must not import the editor`;
    return isBrowserSide(file) && /^(node:|undici)/.test(target)
      ? `${file} also runs in a browser`
      : undefined;
  }
  const path = posix.join(posix.dirname(file), target);
  const [other = '', ...withinOther] = namesOf(path);
  if (isBrowserSide(file) && !isBrowserSide(path)) return `${file} also runs in a browser`;
  if (isEditorFree(file) && !isEditorFree(path) && !/^features\/[^/]+$/.test(path))
    return `${file} must not need the editor`;
  if (other !== part) {
    if (!allowed.includes(other)) return `${part} must not import ${other}`;
    return other === 'core' && withinOther[0] === 'kit' && !isBrowserSide(file)
      ? 'core/kit is for pages'
      : undefined;
  }
  if (part === 'features') return refusedInRooms(within, withinOther);
  const [folder, otherFolder] = [folderOf(within), folderOf(withinOther)];
  if (part === 'core' && otherFolder === 'kit' && folder !== 'kit') return 'core/kit is for pages';
  const isSideways = folder && otherFolder && folder !== otherFolder;
  return isSideways && sideways[part]?.includes(otherFolder) === false
    ? `${part}/${folder} must not import ${part}/${otherFolder}`
    : undefined;
}

/**
 * @param {readonly string[]} from a path inside features, by its names
 * @param {readonly string[]} to
 * @returns {string | undefined}
 */
function refusedInRooms([room = '', ...file], [otherRoom = '', ...otherFile]) {
  const uses = rooms[room];
  if (uses === undefined) return `features/${room} is not in the table of features`;
  if (room !== otherRoom) {
    if (!uses.includes(otherRoom)) return `features/${room} must not use features/${otherRoom}`;
    const isFace = otherFile.length === 0 || (otherFile.length === 1 && faces.includes(otherFile[0] ?? ''));
    return isFace
      ? undefined
      : `features/${otherRoom} shows to others only what is in ${faces.join(' and ')}`;
  }
  const [layer, otherLayer] = [folderOf(file), folderOf(otherFile)];
  if (layer === otherLayer) return undefined;
  if (layer && !otherLayer) return `features/${room} must not import its own face`;
  const mayUse = layer === undefined ? undefined : layersOfRoom[layer];
  const refused = mayUse ? otherLayer && !mayUse.includes(otherLayer) : otherLayer === 'page';
  return refused ? `${layer ?? room} must not import ${otherLayer}` : undefined;
}

/** @param {string} path */
const namesOf = (path) => path.replace(/\.ts$/, '').split('/');

/**
 * The first folder of a path; undefined for a file outside folders.
 * @param {readonly string[]} names
 */
const folderOf = (names) => (names.length > 1 ? names[0] : undefined);

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
