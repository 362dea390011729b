import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/service/client';
import type { ServiceModel } from '../../../src/core/lists/serviceModel';
import type { SessionStore } from '../../../src/core/session/session';
import { ToolError } from '../../../src/features/tools/errors';
import { Toolbox } from '../../../src/features/tools/toolbox';
import type { StartTasks } from '../../../src/features/start/model/startTasks';
import { ConversationChanges } from '../../../src/features/sandboxChanges/model/conversationChanges';
import type { ToolId } from '../../../src/ids';
import { aClient } from '../../support/builders/client';
import { aConversation } from '../../support/builders/records';
import type { FakeModel } from '../../support/conversation/fakeModel';
import type { TestSandbox } from '../changes/support';

const never = new AbortController().signal;
const service = 'https://one.example';

/** The tools of a window whose service has one conversation, `c-1`. */
export function toolsFor(transcript: FakeModel): Toolbox {
  const client: ApiClient = {
    ...aClient(),
    baseUrl: service,
    getConversation: () => Promise.resolve(aConversation({ id: 'c-1' })),
  };
  const connection = { name: 'Team', baseUrl: service, origin: service };
  return new Toolbox({
    session: { current: { kind: 'ready', connection, client } } as unknown as SessionStore,
    model: {} as unknown as ServiceModel,
    starts: {} as unknown as StartTasks,
    openFolder: () => undefined,
    conversations: () => Promise.resolve({ service, model: () => transcript }),
    newSearch: () => assert.fail('no search'),
  });
}

/** What a conversation changed in a folder of a sandbox, without a transcript. */
export const changesIn = (sandbox: TestSandbox, folder: string, mask: (text: string) => string) =>
  new ConversationChanges({
    reachPlace: () => Promise.resolve({ workspace: sandbox.workspace, workingDir: sandbox.at(folder) }),
    loadAll: () => Promise.resolve(),
    events: () => [],
    began: () => ({ repository: null, branch: null, at: Date.now() - 3_600_000 }),
    mask,
  });

/** Calls a tool for the conversation; resolves to its answer, or to why it refused. */
export const invokeFor = (tools: Toolbox, id: ToolId, input: object = {}): Promise<string> =>
  tools.invoke(id, { conversationId: 'c-1', ...input }, never).catch((error: unknown) => {
    assert.ok(error instanceof ToolError, String(error));
    return `refused: ${error.message}`;
  });
