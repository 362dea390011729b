import * as l10n from '@vscode/l10n';
import type { PlainField, PlainValues, SecretField } from './settings';

/** The sections of the form, in their order. */
export const sections = [
  'model',
  'agent',
  'sandbox',
  'git',
  'providers',
  'mcp',
  'notifications',
  'other',
] as const;
export type Section = (typeof sections)[number];

/** The heading of a section. */
export function sectionLabel(section: Section): string {
  const labels: Record<Section, () => string> = {
    model: () => l10n.t('Model'),
    agent: () => l10n.t('Agent'),
    sandbox: () => l10n.t('Sandbox & budget'),
    git: () => l10n.t('Git identity'),
    providers: () => l10n.t('Git provider tokens'),
    mcp: () => l10n.t('MCP servers'),
    notifications: () => l10n.t('Notifications & privacy'),
    other: () => l10n.t('Other values from the service'),
  };
  return labels[section]();
}

/** What a field is edited with; `suggestions` is a text with proposals, `optionalFlag` is on, off or the default. */
type ControlFor<Value> = [Value] extends [boolean]
  ? 'flag'
  : [Value] extends [boolean | null]
    ? 'optionalFlag'
    : [Value] extends [number | null]
      ? 'wholeNumber' | 'amount'
      : 'text' | 'suggestions';

export type Control = ControlFor<PlainValues[PlainField]>;

interface Described {
  section: Section;
  /** Both are functions because the language is known only after the modules were read. */
  label: () => string;
  help: () => string;
}

/** How the form shows one plain field. */
export interface FieldInfo<F extends PlainField = PlainField> extends Described {
  control: ControlFor<PlainValues[F]>;
  /**
   * What an emptied text stands for. The service keeps its stored value where a few fields are null, so those are
   * emptied with an empty text.
   */
  emptied?: '' | null;
}

/** Every plain field, in the order of the form. */
export const fieldTable: { readonly [F in PlainField]: FieldInfo<F> } = {
  llm_model: {
    section: 'model',
    control: 'suggestions',
    emptied: '',
    label: () => l10n.t('Model'),
    help: () =>
      l10n.t(
        'The language model that agents use, as provider/model, for example “anthropic/claude-sonnet-4-5”.',
      ),
  },
  llm_base_url: {
    section: 'model',
    control: 'text',
    emptied: '',
    label: () => l10n.t('Base URL'),
    help: () =>
      l10n.t(
        'Where the model is reached, if not at its provider’s usual address, for example “https://llm.example.com/v1”. Empty: the usual address.',
      ),
  },
  agent: {
    section: 'agent',
    control: 'suggestions',
    label: () => l10n.t('Agent'),
    help: () => l10n.t('The kind of agent that new conversations start with, for example “CodeActAgent”.'),
  },
  language: {
    section: 'agent',
    control: 'suggestions',
    label: () => l10n.t('Language'),
    help: () => l10n.t('The language of the service’s own pages, as a code such as en or pt.'),
  },
  confirmation_mode: {
    section: 'agent',
    control: 'optionalFlag',
    label: () => l10n.t('Confirmation mode'),
    help: () => l10n.t('Whether an agent asks before it acts, for example before it runs a command.'),
  },
  security_analyzer: {
    section: 'agent',
    control: 'suggestions',
    label: () => l10n.t('Security analyzer'),
    help: () => l10n.t('What judges how risky an agent’s next action is, for example “llm”.'),
  },
  enable_default_condenser: {
    section: 'agent',
    control: 'flag',
    label: () => l10n.t('Condense long conversations'),
    help: () =>
      l10n.t(
        'Summarise the older part of a conversation when it grows too long for the model, for example after hours of work.',
      ),
  },
  max_iterations: {
    section: 'sandbox',
    control: 'wholeNumber',
    label: () => l10n.t('Iteration limit'),
    help: () => l10n.t('How many steps an agent may take in one conversation, for example “100”.'),
  },
  max_budget_per_task: {
    section: 'sandbox',
    control: 'amount',
    label: () => l10n.t('Budget per task'),
    help: () =>
      l10n.t('What one task may cost, in the currency that the service counts in, for example “7.50”.'),
  },
  remote_runtime_resource_factor: {
    section: 'sandbox',
    control: 'wholeNumber',
    label: () => l10n.t('Resource factor'),
    help: () =>
      l10n.t(
        'How many times the usual computing power a remote sandbox gets, for example “2” for large builds.',
      ),
  },
  sandbox_base_container_image: {
    section: 'sandbox',
    control: 'text',
    label: () => l10n.t('Base container image'),
    help: () =>
      l10n.t('The container image that sandboxes are built from, for example “python:3.12-bookworm”.'),
  },
  sandbox_runtime_container_image: {
    section: 'sandbox',
    control: 'text',
    label: () => l10n.t('Runtime container image'),
    help: () =>
      l10n.t(
        'A ready-made container image that sandboxes run as it is, for example “registry.example.com/agents/runtime:1”.',
      ),
  },
  git_user_name: {
    section: 'git',
    control: 'text',
    label: () => l10n.t('Name'),
    help: () => l10n.t('The author of the commits that agents make, for example “Ada Lovelace”.'),
  },
  git_user_email: {
    section: 'git',
    control: 'text',
    label: () => l10n.t('E-mail'),
    help: () => l10n.t('The author’s e-mail address in those commits, for example “ada@example.com”.'),
  },
  enable_sound_notifications: {
    section: 'notifications',
    control: 'flag',
    label: () => l10n.t('Sound notifications'),
    help: () =>
      l10n.t(
        'The service’s web page plays a sound when an agent ends or waits for an answer, for example when it asks for a decision. This editor plays none.',
      ),
  },
  enable_proactive_conversation_starters: {
    section: 'notifications',
    control: 'flag',
    label: () => l10n.t('Proactive conversation starters'),
    help: () => l10n.t('The service proposes conversations by itself, on pull requests for example.'),
  },
  enable_solvability_analysis: {
    section: 'notifications',
    control: 'flag',
    label: () => l10n.t('Solvability analysis'),
    help: () =>
      l10n.t(
        'The service judges whether an agent is likely to solve an issue before it begins, for example one that you assign to it on GitHub.',
      ),
  },
  user_consents_to_analytics: {
    section: 'notifications',
    control: 'optionalFlag',
    label: () => l10n.t('Usage analytics'),
    help: () =>
      l10n.t(
        'Whether the service may analyse how you use it, for example which functions. Once answered, the service keeps the answer until it gets the opposite one. This extension itself collects nothing.',
      ),
  },
};

/** Every secret field, in the order of the form. They stand after the plain fields of their section. */
export const secretTable: Readonly<Record<SecretField, Described>> = {
  llm_api_key: {
    section: 'model',
    label: () => l10n.t('API key'),
    help: () =>
      l10n.t(
        'The key for the model’s provider, for example one that begins with “sk-”. It is sent to the service and never shown again.',
      ),
  },
  search_api_key: {
    section: 'agent',
    label: () => l10n.t('Search API key'),
    help: () =>
      l10n.t(
        'The key for the web search that agents may use, for example of Tavily, beginning with “tvly-”.',
      ),
  },
  sandbox_api_key: {
    section: 'sandbox',
    label: () => l10n.t('Sandbox API key'),
    help: () =>
      l10n.t(
        'The key for a remote sandbox provider, for example one that runs sandboxes for your company. The service does not tell whether it holds one, and forgets it at every save that does not bring it along.',
      ),
  },
};

/** Label of a field that the form edits. */
export function fieldLabel(field: PlainField | SecretField): string {
  const info: Described =
    field in secretTable ? secretTable[field as SecretField] : fieldTable[field as PlainField];
  return info.label();
}

/** Codes of the languages that the service is known to offer; any other text is allowed. */
export const languageCodes = [
  'en',
  'ja',
  'zh-CN',
  'zh-TW',
  'ko-KR',
  'no',
  'ar',
  'de',
  'fr',
  'it',
  'pt',
  'es',
  'tr',
  'uk',
] as const;

/** Git providers that always have a row in the form, with their public hosts. */
export const knownProviders = [
  { name: 'github', label: 'GitHub', host: 'github.com' },
  { name: 'gitlab', label: 'GitLab', host: 'gitlab.com' },
  { name: 'bitbucket', label: 'Bitbucket', host: 'bitbucket.org' },
] as const;
