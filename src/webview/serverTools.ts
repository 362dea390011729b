import type { ServerEvent } from '../shared/serverMessages';
import type { App } from './app';
import { serverId } from './ids';
import { setRows } from './model';

/** What the page knows of the servers beyond their list. */
export interface ServerTools {
  /** What the user is told about the last thing done with servers. */
  notices: readonly string[];
}

export const noTools: ServerTools = { notices: [] };

/** Takes over what became of something that was done with servers. */
export function receiveServerEvent(app: App, event: ServerEvent): void {
  const { servers, notices } = event;
  const [first] = servers;
  app.setFilter('');
  app.setTools({ notices });
  if (first === undefined) return;
  app.change((form) => {
    const rows = servers.map((server) => ({ server, deleted: false }));
    return setRows(form, [...form.rows, ...rows], first.id);
  });
  app.focus(serverId(first.id, 'toggle'));
}
