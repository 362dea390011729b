import * as l10n from '@vscode/l10n';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceSettingsSchema, settingsBodySchema } from '../../../src/api/service/schemas/settings';
import type { Control } from '../../../src/shared/fieldKinds';
import { fieldTable, sectionLabel, sections, secretTable } from '../../../src/shared/fields';
import { partialValues } from '../../../src/features/settings/shared/form';
import { parseWebviewMessage, suggestedFields } from '../../../src/features/settings/shared/messages';
import {
  each,
  fieldHelp,
  fieldLabel,
  fieldSection,
  perField,
  plainDefaults,
  plainFields,
  secretFields,
  shownFields,
} from '../../../src/shared/settings';
import { makeSettings } from '../../service/records';

/** The settings fields of the specification (docs/protocol/service.md, “Settings”), by wire name. */
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

describe('table of form fields', () => {
  it('contains every field of the specification', () => {
    const placed = [...plainFields, ...secretFields, ...shownFields, 'mcp_config', 'secrets_store'];
    assert.deepEqual([...placed].sort(), [...specified].sort());
  });

  it('puts each field into a section under a unique label', () => {
    const places = [...Object.values(fieldTable), ...Object.values(secretTable)].map(
      ({ section, label }) => `${section}: ${label()}`,
    );
    assert.equal(new Set(places).size, plainFields.length + secretFields.length);
    const headings = sections.map(sectionLabel);
    for (const { label } of Object.values(fieldTable)) assert.ok(!headings.includes(label()), label());
    for (const { section, help } of [...Object.values(fieldTable), ...Object.values(secretTable)]) {
      assert.ok(sections.includes(section));
      assert.match(help(), /^[A-Z].*\.$/s);
      assert.match(help(), /for example|such as/, 'explained by an example');
    }
  });

  it('gives each field a control that fits its schema', () => {
    for (const field of plainFields) {
      const takes = (value: unknown) => fieldTable[field].schema.safeParse(value).success;
      const { control } = fieldTable[field];
      assert.equal(takes(null), control !== 'flag', field);
      assert.equal(takes(true), control === 'flag' || control === 'optionalFlag', field);
      assert.equal(takes(3), control === 'wholeNumber' || control === 'amount', field);
      assert.equal(takes(2.5), control === 'amount', field);
      assert.equal(takes(''), control === 'text' || control === 'suggestions', field);
    }
  });

  it('has labels for sections and fields', () => {
    assert.equal(new Set(sections.map(sectionLabel)).size, sections.length);
    assert.equal(fieldLabel('llm_api_key'), 'API key');
    assert.equal(fieldLabel('max_iterations'), 'Iteration limit');
    for (const field of plainFields)
      assert.deepEqual(
        [fieldHelp(field), fieldSection(field)],
        [fieldTable[field].help(), fieldTable[field].section],
      );
  });

  it('is the only list of fields in the source, but for places in the current generation and what a start takes', () => {
    const src = path.resolve(__dirname, '../../../src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const namesIn = (file: string) => {
      const text = readFileSync(path.join(src, file), 'utf8');
      return [...plainFields, ...secretFields].filter((field) =>
        new RegExp(`'${field}(_set)?'|^\\s*${field}(_set)?: `, 'm').test(text),
      );
    };
    // Some files name a few fields for a rule or an endpoint.
    const lists = files.filter((file) => namesIn(file).length > suggestedFields.length);
    const places = path.join('api', 'service', 'current', 'places.ts');
    const taken = path.join('api', 'service', 'schemas', 'agentServer.ts');
    assert.deepEqual(lists.sort(), [places, taken, path.join('shared', 'fields.ts')]);
  });

  it('has the defaults of the specification', () => {
    const { language, enable_default_condenser, enable_sound_notifications } = plainDefaults;
    assert.deepEqual([language, enable_default_condenser, enable_sound_notifications], [null, true, false]);
    assert.deepEqual(
      plainDefaults,
      each(plainFields, (field) => makeSettings()[field]),
    );
    for (const field of plainFields)
      assert.ok(fieldTable[field].schema.safeParse(plainDefaults[field]).success, field);
  });

  it('carries every field in messages and on the wire, by its kind', () => {
    const samples = perField<Record<Control, unknown>>({
      text: 'x',
      suggestions: 'x',
      wholeNumber: 3,
      amount: 0.5,
      flag: false,
      optionalFlag: true,
    });
    const edits = { values: samples, secrets: each(secretFields, () => 'clear'), mcpServers: null };
    const message = { type: 'edits', document: 'd', steps: 0, revision: 1, edits };
    assert.deepEqual(parseWebviewMessage(message), { ok: true, message });
    const body = { ...samples, ...each(secretFields, () => 'key') };
    assert.deepEqual(settingsBodySchema.parse(body), body);
    assert.deepEqual(serviceSettingsSchema.parse(body), body);
    for (const field of plainFields) {
      const wrong = typeof samples[field] === 'string' ? 7 : 'x';
      assert.equal(partialValues.safeParse({ [field]: wrong }).success, false, field);
      assert.equal(settingsBodySchema.safeParse({ ...body, [field]: wrong }).success, false, field);
      assert.equal(serviceSettingsSchema.safeParse({ ...body, [field]: wrong }).success, false, field);
    }
  });

  it('creates text only after the language is known', () => {
    const words = () => [
      ...sections.map((section) => sectionLabel(section)),
      ...Object.values({ ...fieldTable, ...secretTable }).flatMap(({ label, help }) => [label(), help()]),
    ];
    const english = words();
    l10n.config({ contents: Object.fromEntries(english.map((text) => [text, `translated: ${text}`])) });
    try {
      assert.deepEqual(
        words(),
        english.map((text) => `translated: ${text}`),
      );
    } finally {
      l10n.config({ contents: {} });
    }
  });
});
