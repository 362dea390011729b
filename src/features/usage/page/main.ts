import { render } from 'lit/html.js';
import { keptUsageSchema, parseShownUsage } from '../../../shared/usageMessages';
import { root, vscode } from '../../../core/kit/host';
import './main.css';
import { usagePage, totalWords, type UsageView } from './page';
import { firstSorting, pressed } from './rows';

const view: UsageView = {
  usage: undefined,
  sorting: keptUsageSchema.safeParse(vscode.getState()).data?.sorting ?? firstSorting,
  whole: new Set(),
};

/** Outside the rendered part, because it must exist before its text does. */
const announcer = document.createElement('div');
announcer.className = 'visually-hidden';
announcer.setAttribute('role', 'status');
document.body.append(announcer);

function set(change: Partial<UsageView>): void {
  Object.assign(view, change);
  render(
    usagePage(view, {
      post: (message) => vscode.postMessage(message),
      sort: (kind, by) => {
        set({ sorting: { ...view.sorting, [kind]: pressed(view.sorting[kind], by) } });
        vscode.setState({ sorting: view.sorting });
      },
      showWhole: (kind) => set({ whole: new Set(view.whole).add(kind) }),
    }),
    root,
  );
}

window.addEventListener('message', ({ data }) => {
  const parsed = parseShownUsage(data);
  if (!parsed.ok) return;
  const { message } = parsed;
  const hasEnded = view.usage?.isReading !== message.isReading;
  set({ usage: message });
  if (hasEnded) announcer.textContent = totalWords(message);
});
set({});
vscode.postMessage({ type: 'ready' });
