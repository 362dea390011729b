import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fieldLabel, fieldTable, sectionLabel, sections, secretTable } from '../../../src/shared/fields';
import { plainFields, plainFieldSchemas, secretFields, shownFields } from '../../../src/shared/settings';

/** The settings fields of the specification, by wire name (section "Settings"). */
const specified = [
  'language',
  'agent',
  'max_iterations',
  'security_analyzer',
  'confirmation_mode',
  'llm_model',
  'llm_api_key',
  'llm_base_url',
  'remote_runtime_resource_factor',
  'secrets_store',
  'enable_default_condenser',
  'enable_sound_notifications',
  'enable_proactive_conversation_starters',
  'enable_solvability_analysis',
  'user_consents_to_analytics',
  'sandbox_base_container_image',
  'sandbox_runtime_container_image',
  'mcp_config',
  'search_api_key',
  'sandbox_api_key',
  'max_budget_per_task',
  'email',
  'email_verified',
  'git_user_name',
  'git_user_email',
];

describe('where the fields of the form stand', () => {
  it('leaves out no field of the specification', () => {
    const placed = [...plainFields, ...secretFields, ...shownFields, 'mcp_config', 'secrets_store'];
    assert.deepEqual([...placed].sort(), [...specified].sort());
  });

  it('puts each field into a section, under a label of its own there', () => {
    const places = [...Object.values(fieldTable), ...Object.values(secretTable)].map(
      ({ section, label }) => `${section}: ${label()}`,
    );
    assert.equal(new Set(places).size, plainFields.length + secretFields.length);
    for (const { section, help } of [...Object.values(fieldTable), ...Object.values(secretTable)]) {
      assert.ok(sections.includes(section));
      assert.match(help(), /^[A-Z].*\.$/s);
      assert.match(help(), /for example|such as/, 'explained by an example');
    }
  });

  it('has a control for each that can say what the schema allows', () => {
    for (const field of plainFields) {
      const takes = (value: unknown) => plainFieldSchemas[field].safeParse(value).success;
      const { control } = fieldTable[field];
      assert.equal(takes(null), control !== 'flag', field);
      assert.equal(takes(true), control === 'flag' || control === 'optionalFlag', field);
      assert.equal(takes(3), control === 'wholeNumber' || control === 'amount', field);
      assert.equal(takes(2.5), control === 'amount', field);
      assert.equal(takes(''), control === 'text' || control === 'suggestions', field);
    }
  });

  it('names sections and fields in words', () => {
    assert.equal(new Set(sections.map(sectionLabel)).size, sections.length);
    assert.equal(fieldLabel('llm_api_key'), 'API key');
    assert.equal(fieldLabel('max_iterations'), 'Iteration limit');
  });

  it('says nothing before the language is known', () => {
    const source = readFileSync(path.resolve(__dirname, '../../../src/shared/fields.ts'), 'utf8');
    for (const [, call] of source.matchAll(/^\s*(?:label|help): (.*)$/gm))
      assert.match(call ?? '', /^\(\) =>/);
  });
});
