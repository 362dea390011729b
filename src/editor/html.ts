import type { NumberedTexts } from '../shared/texts';

/** What the page of a panel is made of. */
export interface PageParts {
  /** Source of what the webview may load, as the editor names it. */
  cspSource: string;
  scriptUri: string;
  /** The later ones win. */
  styleUris: readonly string[];
  /** Fresh for each page; only the script that has it runs, and those that it imports. */
  nonce: string;
  /** The editor's display language. */
  language: string;
  /** Title of the document. */
  title: string;
  /** Translations for the page, if the editor has any. */
  translations: NumberedTexts | undefined;
}

/** The document of the webview: an empty root, one script, style sheets, pictures inside the page, and no other source. */
export function pageHtml(parts: PageParts): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${parts.nonce}'`,
    `style-src ${parts.cspSource}`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const translations = parts.translations === undefined ? '' : JSON.stringify(parts.translations);
  return `<!DOCTYPE html>
<html lang="${attribute(parts.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>${attribute(parts.title)}</title>
${parts.styleUris.map((uri) => `<link rel="stylesheet" href="${attribute(uri)}">`).join('\n')}
</head>
<body>
<div id="root" data-l10n="${attribute(translations)}"></div>
<script type="module" nonce="${attribute(parts.nonce)}" src="${attribute(parts.scriptUri)}"></script>
</body>
</html>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
