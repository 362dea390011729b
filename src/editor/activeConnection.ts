import type * as vscode from 'vscode';
import { stateIds } from '../ids';
import type { Connection } from '../shared/connection';

/** Where choices are kept: a memento of the editor, or a stand-in. */
type Store = Pick<vscode.Memento, 'get' | 'update'>;

/** The connection that this window uses. Other windows don't change it. */
export class ActiveConnection {
  private chosen: string | undefined;
  /** The connection in use, so that the window keeps it when the list is reordered or edited. */
  private current: Connection | undefined;

  /**
   * @param workspace remembers what was selected here
   * @param anywhere remembers what was selected last in any window, for workspaces that have no choice of their own
   * @param hasKey whether this computer has a session key for an origin
   */
  constructor(
    private readonly workspace: Store,
    private readonly anywhere: Store,
    private readonly hasKey: (origin: string) => boolean,
  ) {
    this.chosen = workspace.get<string>(stateIds.activeConnection);
  }

  /**
   * The one of `connections` that was selected here, else the one in use (by address, else by name), the one selected
   * last anywhere, or the first. One without a key comes after all others: a new folder never asks to connect if there's
   * a key.
   */
  of(connections: readonly Connection[]): Connection | undefined {
    const { chosen, current } = this;
    const at = (address: string | undefined) => connections.find(({ baseUrl }) => baseUrl === address);
    const moved = current && connections.find(({ name }) => name === current.name);
    const last = at(this.anywhere.get<string>(stateIds.lastConnection));
    const candidates = [at(current?.baseUrl), moved, last, ...connections];
    const withKey = candidates.find((one) => one && this.hasKey(one.origin));
    this.current = at(chosen) ?? withKey ?? candidates.find((one) => one !== undefined);
    // Otherwise, the window would be on another connection after a reload.
    const hasMoved = moved !== undefined && this.current === moved && current?.baseUrl === chosen;
    if (hasMoved && moved.baseUrl !== chosen) void this.choose(moved);
    return this.current;
  }

  async choose(connection: Connection): Promise<void> {
    this.chosen = connection.baseUrl;
    await this.workspace.update(stateIds.activeConnection, connection.baseUrl);
    await this.anywhere.update(stateIds.lastConnection, connection.baseUrl);
  }
}
