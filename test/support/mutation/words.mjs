/**
 * A plugin for StrykerJS that leaves text for users alone, since only test/unit/l10n.test.ts is about words.
 * @typedef {{ type: string, name?: string, object?: Node, property?: Node, callee?: Node, body?: Node }} Node
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'words',
    value: {
      /** @param {{ node: Node, parentPath?: { node: Node } | null }} path */
      shouldIgnore: ({ node, parentPath }) => {
        const isText =
          ['StringLiteral', 'TemplateLiteral'].includes(node.type) && isTranslation(parentPath?.node);
        const makesText = node.type === 'ArrowFunctionExpression' && isTranslation(node.body);
        return isText || makesText ? 'text for users' : undefined;
      },
    },
  },
];

/**
 * Whether this is a call of `l10n.t`.
 * @param {Node | undefined} node
 */
const isTranslation = (node) => node?.callee?.object?.name === 'l10n' && node.callee.property?.name === 't';
