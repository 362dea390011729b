import { testedAs, type McpServer } from '../../../shared/mcp';
import type { TestResult } from '../shared/messages';
import { same } from '../../../shared/same';

/** A test of a server: running while there is no result. */
export interface RowTest {
  /** What was tested: a result says nothing about a server that has changed since. */
  about: readonly string[];
  result: TestResult | null;
}

/** The running test of a server, or the last one if the server has not changed since. */
export function testOf(tests: Readonly<Record<string, RowTest>>, server: McpServer): RowTest | undefined {
  const test = Object.hasOwn(tests, server.id) ? tests[server.id] : undefined;
  return test && (test.result === null || same(test.about, testedAs(server))) ? test : undefined;
}
