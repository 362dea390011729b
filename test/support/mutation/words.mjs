/**
 * A plugin of StrykerJS: leaves out text for users, since tests aren't about words (test/unit/l10n.test.ts is).
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
