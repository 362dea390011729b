import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/shared/mcp';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness } from './support';

const url = 'https://one.example.com/mcp';

/** A service that hides the secret of its one server, and the form with a new one for it. */
describe('secrets of MCP servers that the service hides', () => {
  let service: ReferenceService;
  let form: Harness;
  beforeEach(async () => {
    service = await startService({ profile: 'current', seed: 'lifelike' });
    service.patch({
      settings: {
        mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers: [{ url, api_key: 'one-key' }] },
      },
    });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const model = () => form.last('form').model;
  async function saveNewKey(): Promise<void> {
    const server = model().mcpServers[0];
    assert.ok(server);
    form.secret = 'typed-key';
    await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id: server.id } });
    form.questions.length = 0;
    const changed: McpServer = { ...server, apiKey: { ...server.apiKey, intention: 'replace' } };
    await form.save({ mcpServers: [changed] });
  }

  it('are offered to be kept once they are typed and saved', async () => {
    assert.equal(model().hidesServerSecrets, true);
    await saveNewKey();
    assert.equal(form.result.kind, 'saved');
    assert.equal(form.questions.length, 1);
    assert.match(
      form.questions[0] ?? '',
      /^Keep the secrets of your MCP servers on this computer\?.*\[Keep\]$/,
    );
    assert.match(form.safeguards.kept.stored ?? '', /typed-key/);
    assert.ok(!JSON.stringify(form.posted).includes('typed-key'));
  });

  it('are asked for one after the other, until that is canceled', async () => {
    const [server] = model().mcpServers;
    assert.ok(server);
    const target = { at: 'mcpApiKey', id: server.id } as const;
    assert.deepEqual(model().hiddenSecrets, [target]);
    form.secret = 'typed-key';
    form.whileAsked = () => {
      if (form.questions.length === 2) form.secret = undefined;
      return Promise.resolve();
    };
    await form.send({ type: 'replaceSecrets', targets: [target, target, target] });
    assert.deepEqual(
      form.questions.map((question) => /\((\d) of (\d)\)/.exec(question)?.slice(1)),
      [
        ['1', '3'],
        ['2', '3'],
      ],
    );
    const changed: McpServer = { ...server, apiKey: { ...server.apiKey, intention: 'replace' } };
    await form.save({ mcpServers: [changed] });
    assert.equal(form.result.kind, 'saved');
    assert.ok(!JSON.stringify(form.posted).includes('typed-key'));
  });

  it('aren’t kept without agreement', async () => {
    form.agrees = false;
    await saveNewKey();
    assert.equal(form.result.kind, 'saved');
    assert.equal(form.safeguards.kept.stored, undefined);
  });

  it('aren’t kept for a connection that is removed while the question is open', async () => {
    form.whileAsked = async () => {
      if (!form.questions.at(-1)?.startsWith('Keep the secrets')) return;
      form.client = undefined;
      await form.host.sessionChanged(false);
    };
    await saveNewKey();
    assert.equal(form.questions.length, 1);
    assert.equal(form.safeguards.kept.stored, undefined);
  });

  it('are reported if they couldn’t be kept', async () => {
    form.safeguards.kept.write = () => Promise.resolve(false);
    await saveNewKey();
    assert.match(form.notices, /weren’t kept/);
  });

  it('aren’t asked about in a save of something else', async () => {
    form.questions.length = 0;
    await form.save({ values: { language: 'it' } });
    assert.equal(form.result.kind, 'saved');
    assert.deepEqual(form.questions, []);
  });
});
