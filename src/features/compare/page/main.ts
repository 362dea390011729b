import { render } from 'lit/html.js';
import { type FromComparison, parseToComparison, type ToComparison } from '../../../shared/comparison';
import { root, vscode } from '../../../core/kit/host';
import './main.css';
import { comparePage } from './page';

const post = (message: FromComparison) => vscode.postMessage(message);

let shown: ToComparison | undefined;

function draw(): void {
  render(
    comparePage(shown, (act, id) => post({ type: 'act', act, id })),
    root,
  );
}

window.addEventListener('message', (event) => {
  const parsed = parseToComparison(event.data);
  if (!parsed.ok) {
    post({ type: 'refused', what: parsed.reason });
    return;
  }
  shown = parsed.message;
  if (shown.type === 'show') vscode.setState({ service: shown.service, ids: shown.ids });
  draw();
});

/** Keeps the time up to date of those that work. */
setInterval(() => {
  if (shown?.type === 'show' && shown.attempts.some(({ since }) => since !== null)) draw();
}, 1_000);

draw();
post({ type: 'ready' });
