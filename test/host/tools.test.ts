import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId, toolIds, type ToolId } from '../../src/ids';
import { questionMarkdown } from '../../src/features/tools/editor';
import { control, hostRun } from '../support/hostRun';

interface ServiceState {
  sandboxes: { id: string; status: string; session_api_key: string | null; exposed_urls: unknown }[];
  specs: { id: string; initial_env?: Record<string, string> }[];
  conversations: { id: string; title: string | null; session_api_key: string | null }[];
}
interface Request {
  id: number;
  method: string;
  path: string;
}
interface Manifest {
  contributes: {
    languageModelTools: { name: ToolId; modelDescription: string; inputSchema: object; tags: string[] }[];
  };
}

const state = async () => (await control('state')) as ServiceState;
const requests = async () => (await control('requests')) as Request[];
const call = async (id: ToolId, input: object = {}, token?: vscode.CancellationToken) => {
  const { content } = await vscode.lm.invokeTool(id, { input, toolInvocationToken: undefined }, token);
  return content.map((part) => (part as vscode.LanguageModelTextPart).value).join('');
};
const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { id: string; status?: string; page?: string });
const withStatus = async (status: string) => {
  const found = (await state()).sandboxes.find((sandbox) => sandbox.status === status);
  assert.ok(found, `no sandbox is ${status}`);
  return found.id;
};

describe('language model tools', () => {
  it('are registered as declared in the manifest', async () => {
    const extension = vscode.extensions.getExtension<unknown>(extensionId);
    await extension?.activate();
    const { languageModelTools } = (extension?.packageJSON as Manifest).contributes;
    assert.deepEqual(languageModelTools.map(({ name }) => name).sort(), Object.values(toolIds).sort());
    const known = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
    for (const { name, modelDescription, inputSchema, tags } of languageModelTools) {
      const tool = known.get(name);
      assert.ok(tool, name);
      assert.equal(tool.description, modelDescription);
      assert.deepEqual(tool.inputSchema, inputSchema);
      assert.deepEqual(tool.tags, tags);
    }
  });

  it('list the service’s data without secrets', async () => {
    const { sandboxes, conversations, specs } = await state();
    const text = await call(toolIds.listSandboxes, { limit: 100, includeSpecs: true });
    assert.deepEqual(
      rows(text)
        .map(({ id }) => id)
        .sort(),
      sandboxes.map(({ id }) => id).sort(),
    );
    for (const { id } of specs) assert.ok(text.includes(id), id);
    const talks = await call(toolIds.listConversations, { limit: 100 });
    assert.equal(rows(talks).length, conversations.length);
    const secrets = [
      ...[...sandboxes, ...conversations].map(({ session_api_key }) => session_api_key),
      ...specs.flatMap(({ initial_env = {} }) =>
        Object.values(initial_env).filter((value) => value.length > 8),
      ),
      hostRun().sessionKey,
    ].filter((secret) => secret !== null);
    assert.ok(secrets.length > 1);
    for (const secret of secrets) assert.ok(!(text + talks).includes(secret), secret);
    assert.doesNotMatch(text, /https?:/, 'no exposed URL');
  });

  it('report invalid input to the model', async () => {
    await assert.rejects(call(toolIds.listSandboxes, { limit: 1_000 }), /limit must be 100 or less\./);
    await assert.rejects(call(toolIds.pauseSandbox, {}), /sandboxId must be a string\..*listSandboxes/s);
    await assert.rejects(
      call(toolIds.pauseSandbox, { sandboxId: 'sb-none' }),
      /no sandbox with the id “sb-none”/,
    );
  });

  it('pause, resume and start sandboxes', async () => {
    const last = (await requests()).at(-1)?.id ?? 0;
    const running = await withStatus('RUNNING');
    const paused = await withStatus('PAUSED');
    assert.match(await call(toolIds.pauseSandbox, { sandboxId: running }), /accepted the request to pause/);
    assert.match(await call(toolIds.resumeSandbox, { sandboxId: paused }), /accepted the request to resume/);
    const posts = (await requests()).filter(({ id, method }) => id > last && method === 'POST');
    assert.deepEqual(
      posts.map(({ path }) => path),
      [`/api/v1/sandboxes/${running}/pause`, `/api/v1/sandboxes/${paused}/resume`],
    );
    const { sandboxes } = await state();
    const [started] = rows(await call(toolIds.startSandbox));
    assert.equal((await state()).sandboxes.length, sandboxes.length + 1);
    assert.ok((await state()).sandboxes.some(({ id }) => id === started?.id));
  });

  it('start a conversation and wait until it exists', async () => {
    const { conversations } = await state();
    const answer = await call(toolIds.startConversation, { message: 'Say hello', title: 'From a tool' });
    const [started] = rows(answer);
    assert.ok(started);
    assert.equal(started.page, `${hostRun().url}/conversations/${started.id}`);
    const now = (await state()).conversations;
    assert.equal(now.length, conversations.length + 1);
    assert.ok(now.some(({ id }) => id === started.id));
  });

  it('end when the model cancels', async () => {
    const path = '/api/v1/sandboxes/search';
    const after = (await requests()).at(-1)?.id ?? 0;
    // Stalls every request, since the views may refresh, too.
    await control('fail', { path, times: 'always', effect: { kind: 'stallBeforeHeaders' } });
    const source = new vscode.CancellationTokenSource();
    try {
      const ended = assert.rejects(call(toolIds.listSandboxes, {}, source.token));
      await control('wait', { path, phase: 'arrived', after });
      source.cancel();
      await ended;
    } finally {
      await control('clear', {});
      source.dispose();
    }
  });

  it('ask for confirmation in plain text', () => {
    const { value, isTrusted, supportHtml } = questionMarkdown({
      title: 'Go?',
      lines: ['[x](command:y) <b> **z** ![p](https://a.example)', 'Second'],
      quoted: 'a\n```\n[x](command:y)',
    });
    assert.ok(!isTrusted && !supportHtml);
    const [first, second] = value.split('\n\n');
    assert.doesNotMatch(first ?? '', /(?<!\\)[[\]*!]/, 'every sign of Markdown is escaped');
    assert.equal(second, 'Second');
    assert.match(value, /\n````text\na\n```\n\[x\]\(command:y\)\n````\n/);
  });
});
