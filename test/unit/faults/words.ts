import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import { ApiError } from '../../../src/api/http/errors';
import type { RequestEvent } from '../../../src/api/http/transport';
import { describeError } from '../../../src/editor/errorText';
import { logLine } from '../../../src/editor/logLine';
import { groupings } from '../../../src/features/conversations/model/arrangement';
import { detailsOf } from '../../../src/features/sandboxes/model/sandboxDetails';
import type { Row } from '../../../src/core/rows/row';
import { startService } from '../../service/service';
import { rowsOf, tooltipText } from '../../support/builders/rows';
import { sessionKey, testClient } from '../api/support/client';
import { clientFor, type Endpoint, endpoints } from './endpoints';
import { checkLinesShown, checkShown, hostileStrings } from './hostileStrings';
import { holds } from './rows';

/** A sandbox, conversation and spec with the same text in every field that takes one. */
const hostileRecords = (text: string) => {
  const sandbox = {
    id: `id ${text}`,
    status: text,
    status_detail: text,
    sandbox_spec_id: text,
    created_at: text,
    created_by_user_id: text,
    session_api_key: text,
    exposed_urls: [
      { name: text, url: text },
      { name: text, url: `https://a.example/${text}` },
    ],
  } satisfies Sandbox;
  const conversation = {
    id: `id ${text}`,
    title: text,
    sandbox_id: sandbox.id,
    selected_repository: text,
    selected_branch: text,
    git_provider: text,
    trigger: text,
    llm_model: text,
    created_at: text,
    updated_at: text,
    sandbox_status: text,
    execution_status: text,
  } satisfies Conversation;
  const spec = { id: `id ${text}`, command: [text], working_dir: text, created_at: text };
  return { sandbox, conversation, spec };
};

function rowsFor(text: string): Row[] {
  const { sandbox, conversation, spec } = hostileRecords(text);
  const records = { sandboxes: [sandbox], conversations: [conversation], specs: [spec] };
  return groupings.flatMap((group) => rowsOf(records, group));
}

/** What the service says, where people see it, and what it must not say at all. */
export function wordsAndSecrets(): void {
  describe('words', () => {
    for (const [name, text] of Object.entries(hostileStrings)) {
      holds('serverStrings', `${name} in each field of each row, in details, errors and log lines`, () => {
        let shown = 0;
        const check = (words: string | undefined, longest: number) => {
          if (words === undefined) return;
          checkShown(words, longest);
          shown += 1;
        };
        const walk = (row: Row, harmless: Row) => {
          check(row.label, 200);
          check(row.description, 600);
          check(row.accessibilityLabel, 1_000);
          checkLinesShown(tooltipText(row), 400, tooltipText(harmless));
          shown += 1;
          assert.equal(row.children?.length, harmless.children?.length);
          row.children?.forEach((child, index) => walk(child, harmless.children![index]!));
        };
        const harmless = rowsFor('harmless');
        for (const [index, row] of rowsFor(text).entries()) walk(row, harmless[index]!);
        const error = new ApiError('serverError', 'POST', '/api/settings', { status: 500, serverText: text });
        check(describeError(error).message, 600);
        check(describeError(new Error(text)).message, 600);
        check(describeError(new ApiError('redirected', 'GET', '/', { location: text })).message, 600);
        const details = (of: string) => {
          const { sandbox, conversation } = hostileRecords(of);
          return detailsOf(sandbox, [conversation], 0);
        };
        checkLinesShown(details(text), 1_000, details('harmless'));
        return shown;
      });
    }

    for (const profile of ['observed', 'documented'] as const) {
      holds(
        'canaries',
        `none of the service’s secrets is in rows, details, errors or log lines (${profile})`,
        async () => {
          const service = await startService({ profile, seed: 'lifelike', sessionKey });
          try {
            let count = 0;
            const canary = () => `canary-${++count}-secret`;
            for (const sandbox of service.state.sandboxes.values()) {
              sandbox.session_api_key = canary();
              sandbox.exposed_urls = [
                { name: 'VSCODE', url: `https://u:${canary()}@h.example/?tkn=${canary()}#${canary()}` },
              ] as never;
            }
            for (const conversation of service.state.conversations.values())
              conversation['session_api_key'] = canary();
            const { client, events } = testClient(service.url);
            const sandboxes = await client.searchSandboxes();
            const conversations = await client.listConversations();
            await client.searchSandboxSpecs();
            const log = (event: RequestEvent) => void events.push(event);
            const ask = (endpoint: Endpoint) =>
              endpoint.call(endpoint.ofCurrent ? clientFor(endpoint, service.url, { log }).client : client);
            for (const endpoint of endpoints) await ask(endpoint).catch(() => undefined);
            service.fail({
              times: 'always',
              effect: {
                kind: 'answer',
                status: 400,
                body: { error: `api_key=${canary()} https://a.example/?t=${canary()}` },
              },
            });
            const errors: string[] = [];
            for (const endpoint of endpoints) {
              const error: unknown = await ask(endpoint).catch((reason: unknown) => reason);
              errors.push(JSON.stringify([describeError(error), error, (error as Error).stack]));
            }
            const rows = rowsOf({ sandboxes: sandboxes.items, conversations: conversations.items });
            const said = [
              JSON.stringify(rows),
              ...sandboxes.items.map((one) => detailsOf(one, conversations.items, 0)),
              ...errors,
              ...events.map(logLine),
              JSON.stringify(events),
            ].join('\n');
            assert.ok(count > 10 && errors.length === endpoints.length);
            const found = /canary[\w-]*/.exec(said);
            assert.equal(found?.[0], undefined);
            return count;
          } finally {
            await service.close();
          }
        },
      );
    }
  });
}
