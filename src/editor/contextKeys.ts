import * as vscode from 'vscode';
import { contextKeys, type ContextKey } from '../ids';
import { same } from '../shared/same';

/** The value of each key until it's known: what the editor takes an unset key to be. */
const defaults = {
  [contextKeys.session]: undefined,
  [contextKeys.signsIn]: false,
  [contextKeys.organizations]: false,
  [contextKeys.unconnected]: false,
  [contextKeys.connectionsEdited]: false,
  [contextKeys.agentServer]: false,
  [contextKeys.lacksSandboxes]: false,
  [contextKeys.hasContainers]: false,
  [contextKeys.unsaved]: false,
  [contextKeys.listTroubles]: undefined,
  [contextKeys.lacksModel]: false,
  [contextKeys.reason]: undefined,
  [contextKeys.sandboxesEmpty]: false,
  [contextKeys.conversationsEmpty]: false,
  [contextKeys.specsEmpty]: false,
  [contextKeys.workspacesEmpty]: false,
  [contextKeys.automations]: false,
  [contextKeys.automationsInstead]: undefined,
  [contextKeys.showsArchived]: false,
  [contextKeys.showsAll]: false,
  [contextKeys.searched]: false,
  [contextKeys.searching]: false,
  [contextKeys.singleConnection]: false,
  [contextKeys.noneWaitingElsewhere]: false,
  [contextKeys.selectionGone]: [],
  [contextKeys.conversationsFiltered]: false,
  [contextKeys.noConversations]: false,
  [contextKeys.noSandboxes]: false,
  [contextKeys.noneWaiting]: false,
  [contextKeys.noneWorking]: false,
  [contextKeys.noPullRequests]: false,
  [contextKeys.applied]: false,
  [contextKeys.settingsSaved]: false,
  [contextKeys.panel]: undefined,
  [contextKeys.started]: false,
} as const satisfies Record<ContextKey, false | undefined | readonly []>;

type Values = {
  [Key in ContextKey]: (typeof defaults)[Key] extends false
    ? boolean
    : (typeof defaults)[Key] extends readonly []
      ? readonly string[]
      : string | undefined;
};

/** Sets context keys, telling the editor only what changed. */
export class ContextKeys {
  private readonly current = new Map<ContextKey, Values[ContextKey]>();
  private readonly selectionGone = new Set<string>();

  constructor() {
    // The editor still has what was set before the extension host was restarted.
    for (const key of Object.values(contextKeys)) this.set<ContextKey>(key, defaults[key]);
  }

  set<Key extends ContextKey>(key: Key, value: Values[Key]): void {
    if (this.current.has(key) && same(this.current.get(key), value)) return;
    this.current.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }

  /**
   * Tells whether several rows of a view were selected, of which one at most is left. The editor’s own key for several
   * rows stays set then, and menus lack what acts on one row. Menus can’t go by a key that follows each selection: the
   * editor draws all rows again when it changes, and doesn’t show all of the selected ones as selected anymore.
   */
  setSelectionGone(view: string, isSo: boolean): void {
    if (isSo) this.selectionGone.add(view);
    else this.selectionGone.delete(view);
    this.set(contextKeys.selectionGone, [...this.selectionGone]);
  }
}
