import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../service/service';
import { clientOf, Harness, noEdits } from './support';

describe('the review of changes behind the form', () => {
  let service: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const servers = () => form.last('model').model.mcpServers;

  it('tells fields by section in the order of the form, and secrets as words', async () => {
    form.secret = 'sk-canary';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.send({
      type: 'review',
      edits: {
        ...noEdits,
        values: { user_consents_to_analytics: null, llm_model: 'x/y', max_iterations: 3 },
        secrets: { llm_api_key: 'replace' },
      },
    });
    const { groups } = form.last('review');
    assert.deepEqual(
      groups.map(({ title, changes }) => [title, ...changes.map(({ label, after }) => `${label}: ${after}`)]),
      [
        ['Model', 'Model: x/y', 'API key: Replaced'],
        ['Sandbox & budget', 'Iteration limit: 3'],
        ['Notifications & privacy', 'Usage analytics: Service default'],
      ],
    );
    assert.equal(groups[0]?.changes[1]?.before, 'Set');
    assert.ok(!JSON.stringify(form.posted).includes('canary'));
  });

  it('tells MCP servers one by one, each change by the name that the editor has for it', async () => {
    const [first, ...rest] = servers();
    const stdio = rest.find(({ kind }) => kind === 'stdio');
    assert.ok(first && stdio && first.kind !== 'stdio');
    const gone = rest.find((server) => server !== stdio);
    const changed = {
      ...first,
      url: 'https://moved.example.com',
      apiKey: { ...first.apiKey, intention: 'clear' as const },
    };
    const tool = { ...stdio, args: ['new arg'], env: [] };
    const others = rest.filter((server) => server !== stdio && server !== gone);
    await form.send({ type: 'review', edits: { ...noEdits, mcpServers: [changed, tool, ...others] } });
    const { groups } = form.last('review');
    const of = (title: string) => groups.find((group) => group.title === `MCP server ${title}`)?.changes;
    assert.deepEqual(of(first.url), [
      { label: 'URL', before: first.url, after: 'https://moved.example.com' },
      { label: 'API key', before: 'Set', after: 'Cleared' },
    ]);
    assert.deepEqual(
      of(stdio.name)?.map(({ label, after }) => `${label}: ${after}`),
      ['Arguments: "new arg"', ...stdio.env.map(({ name }) => `Variable ${name}: Deleted`)],
    );
    assert.equal(of(gone?.url === '' ? gone.name : (gone?.url ?? ''))?.[0]?.after, 'Deleted');
  });

  it('tells a change of order', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, mcpServers: servers().toReversed() } });
    const { groups } = form.last('review');
    assert.deepEqual(
      groups.map(({ title, changes }) => [title, changes.map(({ label }) => label)]),
      [['MCP servers', ['Order']]],
    );
  });

  it('says that a sandbox API key may be lost, unless one comes along', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, values: { agent: 'A' } } });
    assert.match(form.last('review').notes.join(), /sandbox API key/);
    form.secret = 'key';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'sandbox_api_key' } });
    await form.send({ type: 'review', edits: { ...noEdits, secrets: { sandbox_api_key: 'replace' } } });
    assert.deepEqual(form.last('review').notes, []);
  });

  it('keeps what it was asked about as a draft, like any edits', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, values: { agent: 'A' } } });
    assert.equal(form.drafts.size, 1);
  });
});
