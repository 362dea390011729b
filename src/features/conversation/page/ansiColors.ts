const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];

/** Classes of the theme's colors for a terminal, by their codes: `fg-1`, `bg-4`. */
const rules = [...names, ...names.map((name) => `Bright${name}`)].map(
  (name, code) => `.fg-${code} { color: var(--vscode-terminal-ansi${name}, inherit); }
.bg-${code} { background: var(--vscode-terminal-ansi${name}, transparent); }`,
);
const sheet = new CSSStyleSheet();
sheet.replaceSync(rules.join('\n'));
document.adoptedStyleSheets.push(sheet);
