import type { McpServer } from '../shared/mcp';
import type { ParkedServer } from '../shared/parked';
import type { ServerEvent, TestResult } from '../shared/serverMessages';
import type { App } from './app';
import { addServerId, parkedId, serverId } from './ids';
import { setRows } from './model';

/** A test of a server: under way while there is no result. */
export interface RowTest {
  /** What was tested: a result says nothing about a server that was changed since. */
  about: string;
  result: TestResult | null;
}

/** What the page knows of the servers beyond their list. */
export interface ServerTools {
  /** What the user is told about the last thing done with servers. */
  notices: readonly string[];
  /** Whether that failed. */
  failed: boolean;
  /** By the id of the server. */
  tests: Readonly<Record<string, RowTest>>;
  /** Kept on this computer. */
  parked: readonly ParkedServer[];
  /** Ids of servers that the service’s operator put there. */
  operators: readonly string[];
  /** Where a server was moved to, for who cannot see it. */
  said: string;
  /** What changes the service just now, besides a save; nothing can be edited meanwhile. */
  working: string | null;
}

export const noTools: ServerTools = {
  notices: [],
  failed: false,
  tests: {},
  parked: [],
  operators: [],
  said: '',
  working: null,
};

/** Takes over what became of something that was done with servers. */
export function receiveServerEvent(app: App, event: ServerEvent): void {
  switch (event.kind) {
    case 'added':
      addServers(app, event);
      return;
    case 'test':
      setTest(app, event);
      return;
    case 'parked':
      app.setTools({ parked: event.servers });
      return;
    case 'operators':
      app.setTools({ operators: event.ids });
      return;
    case 'working':
      app.setTools({ working: event.words, notices: [], failed: false });
      return;
    case 'done':
      endWork(app, event);
      return;
  }
}

/** The form can be edited again; what was done is said, and the focus goes to the server that it was done to. */
function endWork(app: App, { notices, failed, goTo }: Extract<ServerEvent, { kind: 'done' }>): void {
  app.setTools({ working: null, notices, failed });
  if (goTo === null) return;
  if (goTo.list === 'parked') {
    app.focus(parkedId(goTo.id, 'restore'), addServerId);
    return;
  }
  app.setFilter('');
  app.focus(serverId(goTo.id, 'toggle'), addServerId);
}

function addServers(app: App, { servers, notices }: Extract<ServerEvent, { kind: 'added' }>): void {
  const [first] = servers;
  app.setFilter('');
  app.setTools({ notices, failed: false });
  if (first === undefined) return;
  app.change((form) => {
    const rows = servers.map((server) => ({ server, deleted: false }));
    return setRows(form, [...form.rows, ...rows], first.id);
  });
  app.focus(serverId(first.id, 'toggle'));
}

function setTest(app: App, { id, result }: Extract<ServerEvent, { kind: 'test' }>): void {
  const { phase, tools } = app.state;
  if (phase.at !== 'form') return;
  const row = phase.form.rows.find(({ server }) => server.id === id);
  const about = result === null ? row && testedAs(row.server) : tools.tests[id]?.about;
  if (about !== undefined) app.setTools({ tests: { ...tools.tests, [id]: { about, result } } });
}

/** All that a test of the server depends on, as far as the form knows it. */
function testedAs({ kind, url, apiKey }: McpServer): string {
  return JSON.stringify([kind, url, apiKey.presence, apiKey.intention]);
}

/** The test of a server that goes on, or the last one if the server is still what was tested. */
export function testOf(tools: ServerTools, server: McpServer): RowTest | undefined {
  const test = Object.hasOwn(tools.tests, server.id) ? tools.tests[server.id] : undefined;
  return test?.result === null || test?.about === testedAs(server) ? test : undefined;
}
