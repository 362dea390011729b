import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit/html.js';
import type { Item } from '../items';
import { turnFacts, type TurnFacts } from '../turns';
import { aboutSpan } from '../words';
import type { Part } from '../../../../core/kit/buttons';

type TurnItem = Extract<Item, { kind: 'turn' }>;

const known = new WeakMap<TurnItem, TurnFacts>();

function factsOf(item: TurnItem): TurnFacts {
  const facts = known.get(item) ?? turnFacts(item.turn);
  known.set(item, facts);
  return facts;
}

/** The parts of a turn’s line, of which some are about more than is here. */
function partsOf(item: TurnItem): string[] {
  const { steps, files, errors, took } = factsOf(item);
  const count = item.isPart ? `${steps}+` : steps;
  return [
    // A start that failed has none.
    ...(steps === 0 && errors > 0 ? [] : [steps === 1 ? l10n.t('1 step') : l10n.t('{0} steps', count)]),
    ...(files > 0 ? [files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files)] : []),
    ...(errors > 0 ? [errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors)] : []),
    ...(took === null || took < 1000 || item.isPart ? [] : [aboutSpan(took)]),
  ];
}

export const turnName = (item: TurnItem): string => partsOf(item).join(', ');

/** What happened in a turn: “412 steps · 3 files +122 −4 · 14 min”. */
export function turnLine(item: TurnItem): Part {
  const { files } = factsOf(item);
  return partsOf(item).map((part, index) => [
    index === 0 ? nothing : html`<span class="muted"> · </span>`,
    part,
    files > 0 && index === 1 ? changed(factsOf(item)) : nothing,
  ]);
}

/** Counts of lines; none that’s zero. */
export function changed({ added, removed }: { added: number; removed: number }): Part {
  return [
    added === 0 ? nothing : html` <span class="added">+${added}</span>`,
    removed === 0 ? nothing : html` <span class="removed">−${removed}</span>`,
  ];
}
