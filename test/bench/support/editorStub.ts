/*
 * Replaces the `vscode` module to measure the code behind our views without an editor. A tree view asks its provider
 * for what the extension host would ask for: all roots and their items, or the items of changed elements.
 */

type Listener<T> = (value: T) => void;

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class MarkdownString {
  constructor(readonly value: string) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export const Uri = { from: (parts: object) => parts };

export class FileDecoration {
  constructor(readonly badge: string) {}
}

interface Provider {
  onDidChangeTreeData: (listener: Listener<unknown>) => unknown;
  getChildren: () => unknown[] | Promise<unknown[]>;
  getTreeItem: (element: unknown) => TreeItem;
}

/** Fires after each drawing with the number of items, and whether the whole list was drawn. */
export const drawn = new EventEmitter<{ items: number; all: boolean }>();

export const commands = { executeCommand: () => Promise.resolve() };

export const window = {
  withProgress: () => Promise.resolve(),
  createTreeView: (_id: string, { treeDataProvider }: { treeDataProvider: Provider }) => {
    const draw = (elements: unknown[], all: boolean) => {
      const items = elements.map((element) => treeDataProvider.getTreeItem(element)).length;
      drawn.fire({ items, all });
    };
    const drawAll = async () => draw(await treeDataProvider.getChildren(), true);
    treeDataProvider.onDidChangeTreeData((changed) => {
      if (changed === undefined) void drawAll();
      else draw([changed].flat(), false);
    });
    void drawAll();
    return {
      visible: true,
      onDidChangeVisibility: () => ({ dispose: () => undefined }),
      onDidChangeSelection: () => ({ dispose: () => undefined }),
      dispose: () => undefined,
    };
  },
};
