import type * as vscode from 'vscode';
import { stateIds } from '../ids';
import type { Connection } from '../shared/connection';

/** The connection that this window uses. Other windows don't change it. */
export class ActiveConnection {
  private chosen: string | undefined;
  /** The connection in use, so that the window keeps it when the list is reordered or edited. */
  private current: Connection | undefined;

  constructor(private readonly memento: vscode.Memento) {
    this.chosen = memento.get<string>(stateIds.activeConnection);
  }

  /** The chosen one of `connections`, else the one in use (by address, else by name), else the first. */
  of(connections: readonly Connection[]): Connection | undefined {
    const { chosen, current } = this;
    const at = (address: string | undefined) => connections.find(({ baseUrl }) => baseUrl === address);
    const moved = current && connections.find(({ name }) => name === current.name);
    this.current = at(chosen) ?? at(current?.baseUrl) ?? moved ?? connections[0];
    // Otherwise, the window would be on another connection after a reload.
    const hasMoved = moved !== undefined && this.current === moved && current?.baseUrl === chosen;
    if (hasMoved && moved.baseUrl !== chosen) void this.choose(moved);
    return this.current;
  }

  async choose(connection: Connection): Promise<void> {
    this.chosen = connection.baseUrl;
    await this.memento.update(stateIds.activeConnection, connection.baseUrl);
  }
}
