import type { App } from './app';
import { Coverage } from './coverage';

/**
 * Milliseconds that all of it stays on screen before it can be approved: an earlier click was meant for something else.
 */
const settlingMs = 500;

/** Notices when all of the pending actions were on screen. */
export class OnScreen {
  private signature = '';
  private width = 0;
  private coverages = new Map<string, Coverage>();
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {}

  /** Notes what is on screen now. */
  look(): void {
    const { card } = this.app.state;
    const box = document.querySelector('.actions');
    if (card.signature === '' || card.seen || !box || document.visibilityState !== 'visible') return;
    const { width } = box.getBoundingClientRect();
    // At another width, lines break in other places.
    if (card.signature !== this.signature || width !== this.width) this.coverages = new Map();
    this.signature = card.signature;
    this.width = width;
    const clip = clipOf(box);
    const actions = [...box.querySelectorAll<HTMLElement>('[data-action]')];
    const seen = actions.map((action) => {
      const id = action.dataset['action'] ?? '';
      const coverage = this.coverages.get(id) ?? new Coverage();
      this.coverages.set(id, coverage);
      const { top, bottom, height } = action.getBoundingClientRect();
      coverage.add(Math.max(top, clip.top) - top, Math.min(bottom, clip.bottom) - top);
      return coverage.covers(height);
    });
    if (actions.length === 0 || !seen.every(Boolean)) return;
    this.app.setCard({ seen: true });
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(card.signature), settlingMs);
  }

  private settle(signature: string): void {
    const { card } = this.app.state;
    if (card.signature === signature && card.seen) this.app.setCard({ settled: true });
  }
}

/** The part of the window in which the content of an element can be seen. */
function clipOf(box: Element): { top: number; bottom: number } {
  let [top, bottom] = [0, window.innerHeight];
  for (let element: Element | null = box; element; element = element.parentElement) {
    if (getComputedStyle(element).overflowY === 'visible') continue;
    const edges = element.getBoundingClientRect();
    top = Math.max(top, edges.top);
    bottom = Math.min(bottom, edges.bottom);
  }
  return { top, bottom };
}
