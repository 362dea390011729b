import ts from 'typescript';
import { isTranslation } from './strings';
import { place, walk } from './sources';

/** Members that users read, of objects for the editor or of our own rows and messages. */
const shown = new Set([
  ...['title', 'label', 'placeHolder', 'placeholder', 'prompt', 'description', 'detail', 'tooltip'],
  ...['message', 'nextStep', 'help', 'text', 'name', 'contextualTitle', 'buttons', 'ariaLabel', 'cancel'],
  ...['saveLabel', 'openLabel', 'validationMessage', 'step', 'words', 'heading', 'hint', 'explanation'],
]);

/** Functions whose arguments users read. */
const speaking =
  /^(show(Information|Warning|Error)Message|setStatusBarMessage|showError|describe|confirmed|ask\w*|announce|report|createWebviewPanel|createTreeView|MarkdownString)$/;

/** Attributes of an element that users read. */
const shownAttributes =
  /\s\.?(title|aria-label|aria-description|aria-roledescription|placeholder|label|alt|value-text)=(["'])(.*?)\2/g;

/** Names that are the same in every language. */
const properNames: ReadonlySet<string> = new Set([
  ...[
    'Agent Workspace',
    'GitHub',
    'GitLab',
    'Bitbucket',
    'Forgejo',
    'Azure DevOps',
    'Enterprise SSO',
    'VS Code',
    'Cursor',
    'Claude Desktop',
    'MCP',
    'SSE',
    'SHTTP',
    'stdio',
  ],
]);

/** Finds text for users in code that no translation can reach, each with its location. */
export function bareStrings(files: readonly ts.SourceFile[]): string[] {
  const found: string[] = [];
  const look = (node: ts.Node | undefined) => {
    for (const text of node ? visibleParts(node) : []) found.push(`${place(text.node)}: “${text.text}”`);
  };
  for (const file of files) {
    walk(file, (node) => {
      if (ts.isPropertyAssignment(node) && shown.has(node.name.getText())) look(node.initializer);
      else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const { expression } = node;
        const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
        if (speaking.test(name)) node.arguments?.forEach(look);
      } else if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(node.left) &&
        shown.has(node.left.name.text)
      ) {
        look(node.right);
      } else if (ts.isTaggedTemplateExpression(node) && /^(html|svg)$/.test(node.tag.getText())) {
        for (const text of textOfMarkup(node.template)) found.push(`${place(node)}: “${text}”`);
      }
    });
  }
  return found;
}

/** The texts that a value may show, without translated ones. */
function visibleParts(node: ts.Node): { node: ts.Node; text: string }[] {
  if (isTranslation(node)) return [];
  if (ts.isStringLiteralLike(node)) return isWords(node.text) ? [{ node, text: node.text }] : [];
  if (ts.isTemplateExpression(node)) {
    const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    return texts
      .filter((text) => isWords(text) || /^ \p{L}{2}|\p{L}{2} $/u.test(text))
      .map((text) => ({ node, text }));
  }
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(visibleParts);
  if (ts.isParenthesizedExpression(node)) return visibleParts(node.expression);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return visibleParts(node.body);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(visibleParts);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (
      kind === ts.SyntaxKind.PlusToken ||
      kind === ts.SyntaxKind.QuestionQuestionToken ||
      kind === ts.SyntaxKind.BarBarToken
    )
      return [node.left, node.right].flatMap(visibleParts);
  }
  return [];
}

/** Text and visible attributes of a markup template. */
function textOfMarkup(template: ts.TemplateLiteral): string[] {
  const markup = ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('\u0000');
  const attributes = [...markup.matchAll(shownAttributes)].map((match) => match[3] ?? '');
  const text = markup
    .replace(/<code>[^<]*<\/code>/g, '')
    .replace(/<(?:"[^"]*"|'[^']*'|[^"'>])*>/g, '\u0000')
    .split('\u0000');
  return [...attributes, ...text]
    .map((part) => part.replaceAll('\u0000', '').trim())
    .filter((part) => /\p{L}{2}/u.test(part));
}

/** Whether users would read this. A single lowercase word isn't for them: it's a kind, an icon, or part of an id. */
function isWords(text: string): boolean {
  const words = text.replace(/\$\([\w~-]+\)|https?:\/\/\S+/g, '').trim();
  return /\p{Lu}\p{Ll}|\p{L}{2} \p{L}/u.test(words) && !properNames.has(words);
}

/** Members of the manifest that users read. */
const shownInManifest =
  /^(title|name|displayName|shortTitle|description|markdownDescription|contents|category|contextualTitle|label|altText|patternErrorMessage|errorMessage|deprecationMessage|markdownDeprecationMessage|(enum|markdownEnum|enumItem)(Descriptions|Labels))$/;

/** Finds text for users in the manifest that isn't a key of `package.nls.json`, each with its path. */
export function bareInManifest(manifest: Record<string, unknown>): string[] {
  const { displayName, description, contributes } = manifest;
  const found: string[] = [];
  const look = (value: unknown, path: string, isShown: boolean) => {
    if (typeof value === 'string') {
      if (isShown && !/^%[^%]+%$/.test(value)) found.push(`${path}: “${value}”`);
    } else if (Array.isArray(value))
      value.forEach((member, index) => look(member, `${path}[${index}]`, isShown));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        // The name and the schema of a tool are for models.
        const forModels = 'modelDescription' in value && ['name', 'inputSchema'].includes(key);
        if (key !== 'default' && !forModels) look(member, `${path}.${key}`, shownInManifest.test(key));
      }
    }
  };
  look(displayName, 'displayName', true);
  look(description, 'description', true);
  look(contributes, 'contributes', false);
  return found;
}
