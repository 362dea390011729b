import { testedAs, type McpServer } from '../../shared/mcp';
import { same } from '../../shared/same';
import type { ParkedServer } from '../../shared/parked';
import type { TestResult } from '../../shared/messages';

/** A test of a server: running while there is no result. */
export interface RowTest {
  /** What was tested: a result says nothing about a server that has changed since. */
  about: readonly string[];
  result: TestResult | null;
}

/** What the page knows of the servers beyond their list. */
export interface ServerTools {
  /** Words about the last thing done with servers. */
  notices: readonly string[];
  /** Whether that failed. */
  failed: boolean;
  /** By the id of the server. */
  tests: Readonly<Record<string, RowTest>>;
  /** Servers kept on this computer. */
  parked: readonly ParkedServer[];
  /** Ids of servers from the administrator's configuration. */
  operators: readonly string[];
  /** Where a server was moved to, for screen readers. */
  said: string;
  /** What is changing the service, besides a save; nothing can be edited until it ends. */
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

/** The running test of a server, or the last one if the server has not changed since. */
export function testOf(tools: ServerTools, server: McpServer): RowTest | undefined {
  const test = Object.hasOwn(tools.tests, server.id) ? tools.tests[server.id] : undefined;
  return test && (test.result === null || same(test.about, testedAs(server))) ? test : undefined;
}
