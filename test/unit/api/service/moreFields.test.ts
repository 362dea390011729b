import assert from 'node:assert/strict';
import { moreFieldsOf } from '../../../../src/api/service/current/moreFields';
import { formSchemaSchema } from '../../../../src/api/service/schemas/formSchema';
import type { SettingsBody } from '../../../../src/api/service/schemas/settings';
import { startService } from '../../../service/service';
import { failureOf, testClient } from '../support/client';
import { CurrentSuite } from './currentSuite';

const described = (fields: readonly object[]) =>
  formSchemaSchema.parse({ sections: [{ fields }] }).sections.flatMap((section) => section.fields);
const field = (key: string, rest: object = {}) => ({
  key,
  label: key,
  section_label: 'General',
  value_type: 'string',
  ...rest,
});
const pathsOf = (...fields: object[]) =>
  moreFieldsOf(described(fields), 'agent_settings', 'openhands').fields.map(({ path }) => path);

describe('fields that the service describes', () => {
  const suite = new CurrentSuite();

  it('are those that the form doesn’t have, of the record’s kind of agent', async () => {
    const { fields, elsewhere } = await suite.client.describeFields('openhands');
    assert.deepEqual(
      fields.map(({ path, control, isProminent }) => [
        path.replace('agent_settings.', ''),
        control,
        isProminent,
      ]),
      [
        ['enable_sub_agents', 'flag', true],
        ['tool_concurrency_limit', 'wholeNumber', true],
        ['llm.aws_region_name', 'text', false],
        ['llm.num_retries', 'wholeNumber', false],
        ['llm.max_input_tokens', 'wholeNumber', false],
        ['llm.temperature', 'amount', false],
        ['llm.reasoning_effort', 'choice', false],
        ['condenser.max_size', 'wholeNumber', false],
        ['verification.critic_enabled', 'flag', true],
        ['verification.critic_mode', 'choice', false],
      ],
    );
    assert.deepEqual(elsewhere, ['Tools', 'AWS Secret Access Key', 'Ollama Base URL', 'Extra Headers']);
    assert.deepEqual(
      (await suite.client.describeFields('acp')).fields.map(({ label }) => label),
      ['ACP model'],
    );
  });

  it('name the field of the form that they depend on', () => {
    const fields = [field('condenser.keep_first', { depends_on: ['condenser.enabled', 'condenser.other'] })];
    const [found] = moreFieldsOf(described(fields), 'agent_settings', 'openhands').fields;
    assert.deepEqual(found?.dependsOn, ['enable_default_condenser', 'agent_settings.condenser.other']);
  });

  it('don’t exist on the first generation, and cost no request there', async () => {
    const first = await startService({ profile: 'observed' });
    const other = testClient(first.url, { sessionKey: first.sessionKey }).client;
    assert.deepEqual(await other.describeFields('openhands'), { fields: [], elsewhere: [] });
    assert.deepEqual(first.requests, []);
    await first.close();
  });

  it('are read as far as they’re valid, up to a limit', () => {
    const sections = [
      null,
      { fields: [5, { key: 'a' }, field('b', { default: { x: 1 }, choices: 'none' })] },
    ];
    const [only, ...others] = formSchemaSchema.parse({ sections }).sections.flatMap(({ fields }) => fields);
    assert.deepEqual([only?.key, only?.default, only?.choices, others], ['b', null, null, []]);
    const many = Array.from({ length: 2_000 }, (_, index) => field(`field_${index}`));
    assert.equal(pathsOf(...many).length, 500);
    const [long] = moreFieldsOf(
      described([field('a', { label: `${'x'.repeat(5_000)}\n`, description: 'y'.repeat(50_000) })]),
      'agent_settings',
      'openhands',
    ).fields;
    assert.deepEqual([long?.label.length, long?.help.length], [100, 1_000]);
  });

  it('hazard: never include what a save must not contain, whatever the service describes', () => {
    const keys = [
      'condenser.condenser_kind',
      ...[
        'agent_kind',
        'mcp_config',
        'mcp_config.x',
        'llm.api_key',
        'v1_enabled',
        'schema_version',
        'llm.model',
      ],
      ...['__proto__.x', 'constructor.name', 'llm.__proto__', 'LLM', '', 'a..b'],
      ...['llm.new_token', 'llm.proxy_url', 'llm.host', 'critic_api_key'],
    ];
    assert.deepEqual(pathsOf(...keys.map((key) => field(key)), field('x', { secret: true })), []);
  });

  it('are saved as changed leaves', async () => {
    await suite.save({
      'agent_settings.llm.temperature': 0.5,
      'agent_settings.llm.reasoning_effort': 'low',
      'agent_settings.enable_sub_agents': true,
      max_iterations: 9,
    });
    assert.deepEqual(suite.posts, [
      {
        agent_settings_diff: { llm: { temperature: 0.5, reasoning_effort: 'low' }, enable_sub_agents: true },
        conversation_settings_diff: { max_iterations: 9 },
      },
    ]);
    const { agent_settings } = (await suite.client.getSettings()) as { agent_settings: { llm: object } };
    assert.deepEqual(agent_settings.llm, {
      num_retries: 5,
      max_input_tokens: null,
      temperature: 0.5,
      reasoning_effort: 'low',
      aws_region_name: null,
      ollama_base_url: null,
    });
  });

  it('hazard: never sends a protected member, a mask, or what isn’t one value', async () => {
    const wrong: [string, unknown][] = [
      ['agent_settings.agent_kind', 'acp'],
      ['agent_settings.mcp_config', null],
      ['agent_settings.llm.api_key', null],
      ['agent_settings.__proto__.x', 1],
      ['v1_enabled', true],
      ['sandbox_grouping_strategy.x', 'ADD_TO_ANY'],
      ['agent_settings.llm.custom', '********'],
      ['agent_settings.llm.custom', '<redacted>'],
      ['agent_settings.llm.custom', { x: 1 }],
      ['agent_settings.llm.custom', [1]],
      ['agent_settings.llm.custom', Number.NaN],
    ];
    for (const [path, value] of wrong) {
      const body = { [path]: value } as SettingsBody;
      const error = await failureOf(suite.client.postSettings(body, [path]));
      assert.equal(error.reason, 'invalid', path);
    }
    assert.deepEqual(suite.posts, []);
  });

  it('are named by path if the service refuses them', async () => {
    const error = await failureOf(suite.save({ 'agent_settings.llm.temperature': 'hot' }));
    assert.deepEqual(
      [error.reason, error.issues?.[0]?.loc],
      ['invalid', ['body', 'agent_settings.llm.temperature']],
    );
  });
});
