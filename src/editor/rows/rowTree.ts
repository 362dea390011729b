import * as vscode from 'vscode';
import type { Ref, Referring } from '../../core/lists/ref';
import { same } from '../../shared/same';
import { badgeUri } from './rowBadges';
import type { Row, TooltipLine } from '../../core/rows/row';
import { markdownText } from '../../shared/markdownText';

/** An element of the tree. The same object for as long as its row exists, so that selection and expansion stay. */
export interface RowElement extends Referring {
  row: Row;
  ref: Ref;
  parent: RowElement | undefined;
  children: readonly RowElement[];
}

/**
 * Shows rows and redraws only those that change. The editor waits for the first ones, and shows progress in the
 * meantime: it takes changes up to a fifth of a second late, so rows that followed an empty tree would come that much
 * later.
 */
export class RowTree implements vscode.TreeDataProvider<RowElement>, vscode.Disposable {
  private roots: readonly RowElement[] = [];
  private byId = new Map<string, RowElement>();
  private dimmed = false;
  /** Ends the editor's wait for the first rows; undefined once they're there. */
  private endWait: (() => void) | undefined;
  private readonly firstRows = new Promise<void>((resolve) => (this.endWait = resolve));
  private readonly changed = new vscode.EventEmitter<RowElement | RowElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  /** Shows `rows` from now on, with `dimmed` icons if they may be out of date. */
  show(rows: readonly Row[], dimmed = false): void {
    const previous = this.byId;
    this.byId = new Map();
    const redraw: RowElement[] = [];
    const adopt = (list: readonly Row[], parent: RowElement | undefined): RowElement[] =>
      list.flatMap((row) => {
        // The editor rejects a tree with duplicate ids.
        if (this.byId.has(row.id)) return [];
        const known = previous.get(row.id);
        const before = known && { ...known };
        const element: RowElement = Object.assign(known ?? {}, { row, ref: row.ref, parent, children: [] });
        this.byId.set(row.id, element);
        element.children = adopt(row.children ?? [], element);
        if (before && !(sameRow(before.row, row) && sameList(before.children, element.children)))
          redraw.push(element);
        return [element];
      });
    const before = this.roots;
    this.roots = adopt(rows, undefined);
    const redrawAll = dimmed !== this.dimmed || !sameList(before, this.roots);
    this.dimmed = dimmed;
    if (this.awaited) this.takeFirst();
    else if (redrawAll) this.changed.fire(undefined);
    else if (redraw.length > 0) this.changed.fire(redraw);
  }

  /** True until rows are shown for the first time. */
  get awaited(): boolean {
    return this.endWait !== undefined;
  }

  private takeFirst(): void {
    this.endWait?.();
    this.endWait = undefined;
  }

  /** The element of the row with this id, for `TreeView.reveal`. */
  find(id: string): RowElement | undefined {
    return this.byId.get(id);
  }

  /** The element of the first row. */
  get first(): RowElement | undefined {
    return this.roots[0];
  }

  getChildren(element?: RowElement): RowElement[] | Promise<RowElement[]> {
    const children = () => [...(element?.children ?? this.roots)];
    return this.awaited ? this.firstRows.then(children) : children();
  }

  getParent(element: RowElement): RowElement | undefined {
    return element.parent;
  }

  getTreeItem({ row, ref }: RowElement): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const folded = row.expanded === true ? Expanded : Collapsed;
    // The editor has no bold rows. A dot says the same also where its color can't be seen, as in a selected row.
    const label = row.isNew ? `● ${row.label}` : row.label;
    const item = new vscode.TreeItem(label, row.children?.length ? folded : None);
    if (row.badge !== undefined) item.resourceUri = badgeUri(row.badge, row.isNew === true);
    item.id = row.id;
    item.contextValue = row.contextValue;
    if (row.description !== undefined) item.description = row.description;
    if (row.accessibilityLabel !== undefined)
      item.accessibilityInformation = { label: row.accessibilityLabel };
    if (row.icon) item.iconPath = this.iconOf(row.icon);
    if (row.command !== undefined) {
      const argument: Referring = { ref };
      item.command = { command: row.command, title: row.label, arguments: [argument] };
    }
    return item;
  }

  /** Asked for the row under the mouse only: most tooltips of a long list are never seen. */
  resolveTreeItem(item: vscode.TreeItem, { row }: RowElement): vscode.TreeItem {
    if (row.tooltip !== undefined) item.tooltip = tooltipMarkdown(row.tooltip);
    return item;
  }

  private iconOf({ name, color }: NonNullable<Row['icon']>): vscode.ThemeIcon {
    // Nothing spins while it isn't refreshed.
    const shown = this.dimmed ? name.replace(/~spin$/, '') : name;
    const shade = this.dimmed ? 'disabledForeground' : color;
    return new vscode.ThemeIcon(shown, shade === undefined ? undefined : new vscode.ThemeColor(shade));
  }

  dispose(): void {
    this.takeFirst();
    this.changed.dispose();
  }
}

function sameRow(a: Row, b: Row): boolean {
  if (a === b) return true;
  const { children: _a, ...aShown } = a;
  const { children: _b, ...bShown } = b;
  return same(aShown, bShown);
}

function sameList(a: readonly RowElement[], b: readonly RowElement[]): boolean {
  return a.length === b.length && a.every((element, index) => element === b[index]);
}

/**
 * A tooltip as the editor shows it: the title in bold, then one line per fact. No HTML, commands, or icons. Text from
 * the service never becomes markup or a link.
 */
function tooltipMarkdown([title, ...facts]: readonly TooltipLine[]): vscode.MarkdownString {
  const lines = facts.map(({ label, value }) =>
    markdownText(label === undefined ? value : `${label}: ${value}`),
  );
  const blocks = [...(title ? [`**${markdownText(title.value)}**`] : []), lines.join('  \n')];
  return new vscode.MarkdownString(blocks.filter((block) => block !== '').join('\n\n'));
}
