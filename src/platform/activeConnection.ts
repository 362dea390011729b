import type * as vscode from 'vscode';
import { stateIds } from '../ids';
import type { Connection } from '../shared/connection';

/** Which of the configured connections this window uses: its own choice, which no other window changes. */
export class ActiveConnection {
  private chosen: string | undefined;
  /** The one in use, so that a list that was reordered or edited does not lead the window elsewhere. */
  private present: Connection | undefined;

  constructor(private readonly memento: vscode.Memento) {
    this.chosen = memento.get<string>(stateIds.activeConnection);
  }

  /** The chosen one of `connections`, else the one in use, by its address or else by its name, else the first. */
  of(connections: readonly Connection[]): Connection | undefined {
    const { chosen, present } = this;
    const at = (address: string | undefined) => connections.find(({ baseUrl }) => baseUrl === address);
    const renamed = present && connections.find(({ name }) => name === present.name);
    this.present = at(chosen) ?? at(present?.baseUrl) ?? renamed ?? connections[0];
    return this.present;
  }

  async choose(connection: Connection): Promise<void> {
    this.chosen = connection.baseUrl;
    await this.memento.update(stateIds.activeConnection, connection.baseUrl);
  }
}
