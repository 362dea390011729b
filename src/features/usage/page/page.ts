import * as l10n from '@vscode/l10n';
import { html, nothing, svg } from 'lit/html.js';
import {
  usageKinds,
  type FromUsagePage,
  type ShownUsage,
  type UsageKind,
  type UsageSorting,
} from '../../../shared/usageMessages';
import { button, type Part } from '../../../core/kit/buttons';
import { arrowDown, arrowUp } from '../../../core/kit/icons';
import { numberWords, shortNumber } from '../../../core/kit/numbers';
import { barLength, type Column, nameWords, priceWords, sortedRows } from './rows';

/** What the page shows. */
export interface UsageView {
  /** Undefined until the extension host has said something. */
  usage: ShownUsage | undefined;
  sorting: UsageSorting;
  /** Tables that show all rows. */
  whole: ReadonlySet<UsageKind>;
}

/** What the user can do. */
export interface UsageActions {
  post: (message: FromUsagePage) => void;
  sort: (kind: UsageKind, by: Column) => void;
  showWhole: (kind: UsageKind) => void;
}

/** More rows of a table than this, nobody reads. */
const mostRows = 50;

export function usagePage(view: UsageView, actions: UsageActions): Part {
  const { usage } = view;
  if (!usage) return html`<main><h1>${l10n.t('Usage')}</h1></main>`;
  const { isReading, hasMore, total, uncounted } = usage;
  return html`<main aria-busy=${isReading}>
    <h1>${l10n.t('Usage')}</h1>
    <p class="total">${totalWords(usage)}</p>
    <div class="buttons">
      ${
        isReading
          ? button({ label: l10n.t('Stop'), click: () => actions.post({ type: 'stop' }) })
          : button({ label: l10n.t('Refresh'), click: () => actions.post({ type: 'refresh' }) })
      }
      ${
        hasMore && !isReading
          ? button({ label: l10n.t('Read More'), click: () => actions.post({ type: 'readMore' }) })
          : nothing
      }
    </div>
    ${
      uncounted.length === 0
        ? nothing
        : html`<section aria-labelledby="uncounted">
            <h2 id="uncounted">${l10n.t('Not counted')}</h2>
            <ul class="uncounted">
              ${uncounted.map((words) => html`<li>${words}</li>`)}
            </ul>
          </section>`
    }
    ${
      total.conversations === 0
        ? isReading
          ? nothing
          : html`<p>${l10n.t('No conversation reports what it has used.')}</p>`
        : usageKinds.map((kind) => table(kind, view, actions))
    }
  </main>`;
}

/** The total in a sentence, or how far reading has come. */
export function totalWords({ isReading, total }: ShownUsage): string {
  const { conversations, cost, input, output } = total;
  if (isReading) return l10n.t('Reading conversations… {0} counted', numberWords(conversations));
  return l10n.t(
    '{0} for {1}, with {2} input and {3} output tokens',
    priceWords(cost),
    conversations === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', numberWords(conversations)),
    shortNumber(input),
    shortNumber(output),
  );
}

function table(kind: UsageKind, { usage, sorting, whole }: UsageView, actions: UsageActions): Part {
  const rows = sortedRows(usage?.tables[kind] ?? [], sorting[kind]);
  const shown = whole.has(kind) ? rows : rows.slice(0, mostRows);
  const most = Math.max(...rows.map(({ cost }) => cost));
  const mostTokens = Math.max(...rows.map(({ input, output }) => input + output));
  return html`<section aria-labelledby="${kind}-title">
    <h2 id="${kind}-title">${titles[kind]()}</h2>
    ${kind === 'day' ? html`<p class="note" id="day-note">${l10n.t('A conversation counts on the day it started.')}</p>` : nothing}
    <table
      data-usage=${kind}
      aria-labelledby="${kind}-title"
      aria-describedby=${kind === 'day' ? 'day-note' : nothing}
    >
      <thead>
        <tr>
          ${columns.map((by) => header(kind, by, sorting[kind], actions))}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (row) =>
            html`<tr>
              <th scope="row">
                ${nameWords(kind, row.name)}
                ${
                  // Where nothing costs anything, tokens are what differs.
                  kind === 'day'
                    ? bar(
                        most > 0 ? barLength(row.cost, most) : barLength(row.input + row.output, mostTokens),
                      )
                    : nothing
                }
              </th>
              ${numbers.map(
                (by) =>
                  html`<td
                    data-label=${labels[by]()}
                    title=${by === 'input' || by === 'output' ? numberWords(row[by]) : nothing}
                  >
                    ${cells[by](row[by])}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      shown.length < rows.length
        ? button({
            label: l10n.t('Show All {0}', numberWords(rows.length)),
            describedBy: `${kind}-title`,
            click: () => actions.showWhole(kind),
          })
        : nothing
    }
  </section>`;
}

const bar = (length: number): Part =>
  html`<svg class="bar" aria-hidden="true" focusable="false">
    ${svg`<rect width="${length}%" height="100%" />`}
  </svg>`;

function header(kind: UsageKind, by: Column, now: UsageSorting[UsageKind], actions: UsageActions): Part {
  const isSorted = now.by === by;
  const order = isSorted ? (now.isDescending ? 'descending' : 'ascending') : 'none';
  return html`<th scope="col" aria-sort=${order}>
    <button type="button" class="sort" @click=${() => actions.sort(kind, by)}>
      ${by === 'name' ? names[kind]() : labels[by]()}
      ${isSorted ? (now.isDescending ? arrowDown : arrowUp) : nothing}
    </button>
  </th>`;
}

const numbers = ['cost', 'conversations', 'input', 'output'] as const;
const columns = ['name', ...numbers] as const;

const cells = {
  cost: priceWords,
  conversations: numberWords,
  input: shortNumber,
  output: shortNumber,
};

const labels = {
  conversations: () => l10n.t('Conversations'),
  cost: () => l10n.t('Cost'),
  input: () => l10n.t('Input tokens'),
  output: () => l10n.t('Output tokens'),
};

const names: Record<UsageKind, () => string> = {
  day: () => l10n.t('Day'),
  model: () => l10n.t('Model'),
  repository: () => l10n.t('Repository or folder'),
  connection: () => l10n.t('Connection'),
};

const titles: Record<UsageKind, () => string> = {
  day: () => l10n.t('By day'),
  model: () => l10n.t('By model'),
  repository: () => l10n.t('By repository'),
  connection: () => l10n.t('By connection'),
};
