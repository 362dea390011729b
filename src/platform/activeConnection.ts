import type * as vscode from 'vscode';
import { stateIds } from '../ids';
import type { Connection } from '../shared/connection';

/** Which of the configured connections this window uses. */
export class ActiveConnection {
  constructor(private readonly memento: vscode.Memento) {}

  /** The chosen one of `connections`, or the first. */
  of(connections: readonly Connection[]): Connection | undefined {
    const chosen = this.memento.get<string>(stateIds.activeConnection);
    return connections.find(({ baseUrl }) => baseUrl === chosen) ?? connections[0];
  }

  async choose(connection: Connection): Promise<void> {
    await this.memento.update(stateIds.activeConnection, connection.baseUrl);
  }
}
