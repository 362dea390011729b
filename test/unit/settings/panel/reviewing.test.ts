import assert from 'node:assert/strict';
import { type Harness, noEdits, openForm } from './support';

describe('review of changes', () => {
  let form: Harness;

  openForm((opened) => {
    form = opened;
  });

  const servers = () => form.last('form').model.mcpServers;

  it('lists fields by section in form order, and secrets as words', async () => {
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
        ['Model', 'Language model: x/y', 'API key: Replaced'],
        ['Sandbox & budget', 'Iteration limit: 3'],
        ['Notifications & privacy', 'Usage analytics: Service default'],
      ],
    );
    assert.equal(groups[0]?.changes[1]?.before, 'Set');
    assert.ok(!JSON.stringify(form.posted).includes('canary'));
  });

  it('lists changes per MCP server, with the server editor’s labels', async () => {
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

  it('lists a change of order', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, mcpServers: servers().toReversed() } });
    const { groups } = form.last('review');
    assert.deepEqual(
      groups.map(({ title, changes }) => [title, changes.map(({ label }) => label)]),
      [['MCP servers', ['Order']]],
    );
  });

  it('warns that a sandbox API key may be lost, unless one is sent', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, values: { agent: 'A' } } });
    assert.match(form.last('review').notes.join(), /sandbox API key/);
    form.secret = 'key';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'sandbox_api_key' } });
    await form.send({ type: 'review', edits: { ...noEdits, secrets: { sandbox_api_key: 'replace' } } });
    assert.deepEqual(form.last('review').notes, []);
  });

  it('keeps the reviewed edits as a draft', async () => {
    await form.send({ type: 'review', edits: { ...noEdits, values: { agent: 'A' } } });
    assert.equal(form.drafts.size, 1);
  });
});
