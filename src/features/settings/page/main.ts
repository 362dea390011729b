import { render } from 'lit';
import { sections, type Section } from '../../../shared/fields';
import { root, vscode } from '../../../core/kit/host';
import { SettingsApp } from './app';
import '../../../core/kit/combobox';
import { letterOf } from '../../../core/kit/keys';
import { saveId, searchId, sectionId } from './ids';
import './main.css';
import { keptSchema, isBusy } from './state';
import { settingsPage } from './view/page';

const kept = keptSchema.safeParse(vscode.getState());

function focusFirst(ids: readonly string[]): void {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null);
  // What sticks to the top is in view, but scrolling to it would go to the top of the page.
  element?.focus({ preventScroll: element.closest('.sticky') !== null });
}

/** The user was there before, so the page stays where it is. */
function giveBackFocus(to: Element | null): void {
  if (to instanceof HTMLElement && to.isConnected) to.focus({ preventScroll: true });
  else focusFirst([saveId]);
}

const app = new SettingsApp(
  {
    post: (message) => vscode.postMessage(message),
    keep: (state) => vscode.setState(state),
    draw,
    later: (act) => requestIdleCallback(act, { timeout: 100 }),
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
  const busy = isBusy(app.state);
  const isReviewing = app.state.review !== null;
  if (isReviewing && !wasReviewing) focusedBeforeReview = document.activeElement;
  // Inert elements lose the focus; it comes back at the end.
  if (busy && !wasBusy) focusedBeforeWork = document.activeElement;
  render(settingsPage(app), root);
  if (wasBusy && !busy && document.activeElement === document.body) {
    giveBackFocus(focusedBeforeWork);
  }
  showReview(busy);
  wasBusy = busy;
  wasReviewing = isReviewing;
  requestAnimationFrame(markSection);
  watchHeights();
}

/** Makes the review modal once it is drawn; when it closes, the focus returns to where it was. */
function showReview(busy: boolean): void {
  const dialog = document.querySelector('dialog');
  if (dialog) {
    if (!dialog.open) dialog.showModal();
    return;
  }
  if (!wasReviewing) return;
  if (busy) focusedBeforeWork = focusedBeforeReview;
  else giveBackFocus(focusedBeforeReview);
}

/** Sticky parts grow with their words, and scrolling must keep its target clear of them. */
const heights = { '.bar': '--bar-height', '.side': '--side-height' };
const observed = new Map<string, Element>();
const heightObserver = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize } of entries) {
    const property = Object.entries(heights).find(([selector]) => target.matches(selector))?.[1];
    const height = borderBoxSize[0]?.blockSize;
    if (property === undefined || height === undefined) continue;
    for (const { style } of [document.documentElement, ...document.querySelectorAll<HTMLElement>('.side')]) {
      style.setProperty(property, `${height}px`);
    }
  }
});

function watchHeights(): void {
  for (const selector of Object.keys(heights)) {
    const [before, now] = [observed.get(selector), document.querySelector(selector)];
    if (now === null || now === before) continue;
    if (before) heightObserver.unobserve(before);
    observed.set(selector, now);
    heightObserver.observe(now);
  }
}

/** Shows in the navigation which section is being read. */
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
  const jump = document.querySelector<HTMLSelectElement>('nav select');
  if (jump && document.activeElement !== jump) jump.value = current;
}

window.addEventListener('message', (event) => app.receive(event.data));
window.addEventListener('scroll', markSection, { passive: true });
window.addEventListener('resize', markSection, { passive: true });
document.addEventListener('visibilitychange', () => app.report());
window.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  const key = letterOf(event);
  if (key !== 's' && key !== 'f') return;
  event.preventDefault();
  // A key that is held down must not save what nobody has read yet.
  if (key === 's' && !event.repeat) app.save();
  if (key === 'f' && app.state.review === null) focusFirst([searchId]);
});
app.start();
