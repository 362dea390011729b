import type { ServerEvent } from '../../shared/serverMessages';
import { addServerId, parkedId, serverId } from './ids';
import { setRows, type Form } from './model';
import { testedAs, type ServerTools } from './serverTools';
import type { State } from './state';

/** What an event about servers changes. */
interface ServersPage {
  readonly state: State;
  setTools(change: Partial<ServerTools>): void;
  change(edit: (form: Form) => Form): void;
  showAll(): void;
  focus(...ids: string[]): void;
}

/** Handles the result of something done with servers. */
export function receiveServerEvent(page: ServersPage, event: ServerEvent): void {
  switch (event.kind) {
    case 'added':
      addServers(page, event);
      return;
    case 'test':
      setTest(page, event);
      return;
    case 'parked':
      page.setTools({ parked: event.servers });
      return;
    case 'working':
      page.setTools({ working: event.words, notices: [], failed: false });
      return;
    case 'done':
      endWork(page, event);
      return;
  }
}

/** Makes the form editable again, says what was done, and focuses the server it was done to. */
function endWork(page: ServersPage, { notices, failed, goTo }: Extract<ServerEvent, { kind: 'done' }>): void {
  page.setTools({ working: null, notices, failed });
  if (goTo === null) return;
  if (goTo.list === 'parked') {
    page.focus(parkedId(goTo.id, 'restore'), addServerId);
    return;
  }
  page.showAll();
  page.focus(serverId(goTo.id, 'toggle'), addServerId);
}

function addServers(page: ServersPage, { servers, notices }: Extract<ServerEvent, { kind: 'added' }>): void {
  const [first] = servers;
  page.showAll();
  page.setTools({ notices, failed: false });
  if (first === undefined) return;
  page.change((form) => {
    const rows = servers.map((server) => ({ server, deleted: false }));
    return setRows(form, [...form.rows, ...rows], first.id);
  });
  page.focus(serverId(first.id, 'toggle'));
}

function setTest(page: ServersPage, { id, result }: Extract<ServerEvent, { kind: 'test' }>): void {
  const { phase, tools } = page.state;
  if (phase.at !== 'form') return;
  const row = phase.form.rows.find(({ server }) => server.id === id);
  const about = result === null ? row && testedAs(row.server) : tools.tests[id]?.about;
  if (about !== undefined) page.setTools({ tests: { ...tools.tests, [id]: { about, result } } });
}
