import type { FormModel, FormEdits } from '../../../src/features/settings/shared/form';
import type { HostMessage, ShownForm } from '../../../src/features/settings/shared/messages';
import type { MoreSettings } from '../../../src/shared/moreFields';
import type { ParkedServer } from '../../../src/shared/parked';
import { plainDefaults } from '../../../src/shared/settings';
import { newServer as server } from '../../unit/settings/support';

export { server };

export const noEdits: FormEdits = { values: {}, secrets: {}, mcpServers: null };

export const search = server({
  id: 'one',
  url: 'https://search.example.com/mcp',
  apiKey: { presence: 'set', intention: 'keep' },
  timeout: 60,
});
export const events = server({ id: 'two', kind: 'sse', url: 'https://events.example.com/sse' });
export const files = server({
  id: 'three',
  kind: 'stdio',
  name: 'filesystem',
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/workspace'],
  env: [{ name: 'FILES_TOKEN', presence: 'set', intention: 'keep' }],
});

export const sleeping: ParkedServer = {
  id: 'p1',
  parkedAt: '2026-03-04T05:06:07.000Z',
  kind: 'shttp',
  url: 'https://sleeping.example.com/mcp',
  timeout: null,
  name: '',
  command: '',
  args: [],
  hasApiKey: true,
  env: [],
  otherMembers: [],
};

const described: Omit<MoreSettings['fields'][number], 'path' | 'label'> = {
  help: '',
  group: 'Language models',
  control: 'text',
  choices: [],
  default: null,
  isProminent: false,
  dependsOn: [],
  value: null,
};
const choice = (value: string) => ({ value, label: value });

/** Fields described by the service, one for each kind of control. */
const describedSettings: MoreSettings = {
  fields: [
    {
      ...described,
      path: 'agent_settings.sub_agents',
      label: 'Enable helpers',
      help: 'Lets an agent start others.',
      group: 'General',
      control: 'flag',
      default: false,
      value: false,
      isProminent: true,
    },
    {
      ...described,
      path: 'agent_settings.helper_limit',
      label: 'Most helpers',
      group: 'General',
      control: 'wholeNumber',
      default: 4,
      value: 2,
      isProminent: true,
      dependsOn: ['agent_settings.sub_agents'],
    },
    { ...described, path: 'agent_settings.llm.warmth', label: 'Warmth', control: 'amount' },
    { ...described, path: 'agent_settings.llm.place', label: 'Place', default: 'near', value: 'far' },
    { ...described, path: 'agent_settings.llm.folding', label: 'Folding', control: 'flag' },
    {
      ...described,
      path: 'agent_settings.llm.effort',
      label: 'Effort',
      control: 'choice',
      choices: [choice('low'), choice('high')],
      default: 'high',
      value: 'high',
    },
  ],
  elsewhere: ['Cloud password', 'Tools'],
};

export function sampleModel(change: Partial<FormModel> = {}): FormModel {
  return {
    saved: true,
    values: {
      ...plainDefaults,
      llm_model: 'anthropic/claude-sonnet-4-5',
      agent: 'CodeActAgent',
      language: 'en',
      max_iterations: 250,
      max_budget_per_task: 2.5,
      git_user_name: 'Ada Lovelace',
      git_user_email: 'ada@example.com',
      confirmation_mode: true,
    },
    secrets: { llm_api_key: 'set', search_api_key: 'notSet', sandbox_api_key: 'unknown' },
    email: 'ada@example.com',
    emailVerified: true,
    mcpServers: [search, events, files],
    providers: [
      { name: 'github', host: null },
      { name: 'forgejo', host: 'code.example.com' },
    ],
    providersTold: true,
    lacks: [],
    testsServers: false,
    hasProviders: true,
    hidesServerSecrets: false,
    hiddenSecrets: [],
    more: describedSettings,
    other: [
      { name: 'condenser_max_size', text: '120' },
      { name: 'v1_enabled', text: 'true' },
    ],
    ...change,
  };
}

export function formMessage(model: FormModel = sampleModel(), change: Partial<ShownForm> = {}): ShownForm {
  return {
    type: 'form',
    document: 'first',
    steps: 0,
    revision: 0,
    connection: 'Local',
    service: 'http://localhost:3000',
    model,
    edits: noEdits,
    notices: [],
    offers: [],
    suggestions: {},
    providerChanges: [],
    operators: [],
    hasPickers: false,
    parked: [],
    serverNotices: { words: [], failed: false },
    working: null,
    result: null,
    goTo: null,
    ...change,
  };
}

export function reviewMessage(
  change: Partial<Extract<HostMessage, { type: 'review' }>> = {},
): Extract<HostMessage, { type: 'review' }> {
  return {
    type: 'review',
    groups: [
      {
        title: 'Model',
        changes: [
          { label: 'Language model', before: 'anthropic/claude-sonnet-4-5', after: 'openai/gpt-5' },
          { label: 'API key', before: 'Set', after: 'Replaced' },
        ],
      },
      {
        title: 'MCP server filesystem',
        changes: [
          { label: 'Arguments', before: '-y server /workspace', after: '-y server /other' },
          { label: 'Variable FILES_TOKEN', before: 'Set', after: 'Deleted' },
        ],
      },
      {
        title: 'MCP server https://new.example.com/mcp',
        changes: [{ label: 'Server', before: 'None', after: 'shttp' }],
      },
    ],
    notes: [],
    ...change,
  };
}
