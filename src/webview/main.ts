import * as l10n from '@vscode/l10n';
import { render } from 'lit';
import * as z from 'zod/mini';
import { sections, type Section } from '../shared/fields';
import { keptEditsSchema } from '../shared/messages';
import { App } from './app';
import './combobox';
import { sectionId } from './ids';
import './main.css';
import { isBusy } from './state';
import { page } from './view/page';

declare function acquireVsCodeApi(): {
  postMessage: (message: unknown) => void;
  getState: () => unknown;
  setState: (state: unknown) => void;
};

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const bundle = root.dataset['l10n'];
if (bundle) l10n.config({ contents: bundle });

const keptSchema = z.strictObject({
  edits: keptEditsSchema,
  texts: z.record(z.string(), z.string()),
  open: z.array(z.string()),
  reviewed: z.boolean(),
});

const vscode = acquireVsCodeApi();
const kept = keptSchema.safeParse(vscode.getState());

function focusFirst(ids: readonly string[]): void {
  for (const id of ids) {
    const element = document.getElementById(id);
    if (!element) continue;
    element.focus();
    return;
  }
}

const app = new App(
  {
    post: (message) => vscode.postMessage(message),
    keep: (state) => vscode.setState(state),
    draw,
    // A combobox draws its input a moment after the page.
    focus: (...ids) => queueMicrotask(() => focusFirst(ids)),
    reveal: (section) => {
      document.getElementById(sectionId(section))?.scrollIntoView();
      document.getElementById(`${sectionId(section)}-title`)?.focus({ preventScroll: true });
    },
  },
  kept.success ? kept.data : null,
);

let focusedBeforeWork: Element | null = null;
let focusedBeforeReview: Element | null = null;
let wasBusy = false;
let wasReviewing = false;

function draw(): void {
  if (!root) return;
  const busy = isBusy(app.state);
  const isReviewing = app.state.review !== null;
  if (isReviewing && !wasReviewing) focusedBeforeReview = document.activeElement;
  // What is inert loses the focus; it gets it back at the end.
  if (busy && !wasBusy) focusedBeforeWork = document.activeElement;
  render(page(app), root);
  if (wasBusy && !busy && document.activeElement === document.body) {
    const isThere = focusedBeforeWork instanceof HTMLElement && focusedBeforeWork.isConnected;
    focusFirst(isThere ? [] : ['save']);
    if (isThere) (focusedBeforeWork as HTMLElement).focus();
  }
  showReview(busy);
  wasBusy = busy;
  wasReviewing = isReviewing;
  requestAnimationFrame(markSection);
  watchBar();
}

/** Makes the review modal once it is drawn; when it goes, the focus returns to where it was. */
function showReview(busy: boolean): void {
  const dialog = document.querySelector('dialog');
  if (dialog) {
    if (!dialog.open) dialog.showModal();
    return;
  }
  if (!wasReviewing) return;
  if (busy) focusedBeforeWork = focusedBeforeReview;
  else if (focusedBeforeReview instanceof HTMLElement) focusedBeforeReview.focus();
}

/** The bar grows with its words; what is scrolled to has to stay clear of it. */
const barObserver = new ResizeObserver(([entry]) => {
  const height = entry?.borderBoxSize[0]?.blockSize;
  if (height !== undefined) document.documentElement.style.setProperty('--bar-height', `${height}px`);
});
let bar: Element | null = null;

function watchBar(): void {
  const present = document.querySelector('.bar');
  if (present === bar) return;
  bar = present;
  barObserver.disconnect();
  if (bar) barObserver.observe(bar);
}

/** Tells in the navigation which section is being read. */
function markSection(): void {
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const line = atEnd ? window.innerHeight : window.innerHeight / 3;
  const begun = sections.filter((section) => {
    const top = document.getElementById(sectionId(section))?.getBoundingClientRect().top;
    return top !== undefined && top < line;
  });
  const current: Section = begun.at(-1) ?? sections[0];
  for (const link of document.querySelectorAll<HTMLElement>('nav a')) {
    if (link.dataset['target'] === current) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

window.addEventListener('message', (event) => app.receive(event.data));
window.addEventListener('scroll', markSection, { passive: true });
window.addEventListener('resize', markSection, { passive: true });
document.addEventListener('visibilitychange', () => app.report());
window.addEventListener('keydown', (event) => {
  if (
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey &&
    event.key.toLowerCase() === 's'
  ) {
    event.preventDefault();
    // A key held down is not to save what was not read yet.
    if (!event.repeat) app.save();
  }
});
app.start();
