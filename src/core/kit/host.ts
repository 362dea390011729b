import * as l10n from '@vscode/l10n';
import { byEnglish, type NumberedTexts } from '../../shared/texts';

declare function acquireVsCodeApi(): {
  postMessage: (message: unknown) => void;
  getState: () => unknown;
  setState: (state: unknown) => void;
};

/** The editor's side of the page. */
export const vscode = acquireVsCodeApi();

const found = document.getElementById('root');
if (!found) throw new Error('The page has no root element.');

/** What the page is drawn into. It brings the translations along. */
export const root = found;

const texts = root.dataset['l10n'];
if (texts) l10n.config({ contents: byEnglish(JSON.parse(texts) as NumberedTexts) });

// Keys that an input method uses, for example to select a word, aren't meant for the page.
window.addEventListener('keydown', (event) => event.isComposing && event.stopPropagation(), {
  capture: true,
});

// An input or a question of the editor takes the focus; in browsers, the page forgets what had it.
let left: EventTarget | null = null;
document.addEventListener('focusout', ({ target }) => (left = target));
window.addEventListener('focus', () => {
  if (left instanceof HTMLElement && document.activeElement === document.body)
    left.focus({ preventScroll: true });
});
