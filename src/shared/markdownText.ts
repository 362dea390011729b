/**
 * Escapes everything in a plain text that Markdown could interpret. The editor’s `appendText` would leave addresses,
 * which become links, and HTML and its entities, which don’t show as they are.
 */
export const markdownText = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
