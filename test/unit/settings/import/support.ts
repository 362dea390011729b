import assert from 'node:assert/strict';
import { fill } from '../../../../src/features/settings/model/import/fill';
import { parseMcpFile } from '../../../../src/features/settings/model/import/parse';
import type {
  PlaceholderAnswers,
  FilledServer,
  ParsedServer,
} from '../../../../src/features/settings/model/import/types';

/** The servers of a file without invalid entries. */
export function serversOf(file: unknown): ParsedServer[] {
  const parsed = parseMcpFile(typeof file === 'string' ? file : JSON.stringify(file));
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason);
  assert.deepEqual(parsed.rejected, []);
  return parsed.servers;
}

/** The only server of a file. */
export function serverOf(file: unknown): ParsedServer {
  const [server, ...others] = serversOf(file);
  assert.ok(server);
  assert.equal(others.length, 0);
  return server;
}

/** Reads a file with this server object only. */
export function readOne(object: Record<string, unknown>): ParsedServer {
  return serverOf({ mcpServers: { one: object } });
}

export function fillWith(
  server: ParsedServer,
  answers: Record<string, string> | PlaceholderAnswers = {},
  env: Record<string, string> = {},
): FilledServer {
  const map = answers instanceof Map ? (answers as PlaceholderAnswers) : new Map(Object.entries(answers));
  return fill(server, map, env, 'new-1');
}

/** Secrets by the member they belong to. */
export function secretsOf({ secrets }: FilledServer): Record<string, string> {
  return Object.fromEntries(
    secrets.map(({ target, value }) => {
      assert.ok(target.at === 'mcpApiKey' || target.at === 'mcpEnv');
      assert.equal(target.id, 'new-1');
      return [target.at === 'mcpEnv' ? target.name : '(key)', value];
    }),
  );
}
