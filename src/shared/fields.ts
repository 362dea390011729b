import * as l10n from '@vscode/l10n';
import {
  address,
  amount,
  email,
  flag,
  optionalFlag,
  suggestions,
  text,
  wholeNumber,
  type Control,
  type Kind,
} from './fieldKinds';

/** The sections of the form, in their order. */
export const sections = [
  'model',
  'agent',
  'sandbox',
  'git',
  'providers',
  'mcp',
  'notifications',
  'more',
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
    more: () => l10n.t('More settings'),
    other: () => l10n.t('Other values from the service'),
  };
  return labels[section]();
}

interface Described {
  readonly section: Section;
  /** Functions, because the language is known only after the modules are loaded. */
  readonly label: () => string;
  readonly help: () => string;
}

/** All there is to know about a plain field. */
interface PlainInfo<C extends Control> extends Kind<C>, Described {
  /** Sent in place of null, which would keep the stored value (the service in practice: "Settings"). */
  readonly emptied?: '';
  /** The service keeps the stored answer when it gets null. */
  readonly isFinal?: true;
}

/** All there is to know about a secret field. */
interface SecretInfo extends Described {
  /** The response has `<field>_set`, which says whether there is a value. */
  readonly isTold: boolean;
}

type AnyPlain = { [C in Control]: PlainInfo<C> }[Control];

const plain = {
  llm_model: {
    ...suggestions,
    section: 'model',
    emptied: '',
    label: () => l10n.t('Language model'),
    help: () =>
      l10n.t(
        'The model agents use, as provider/model, for example “anthropic/claude-sonnet-4-5”. Default: set by the service.',
      ),
  },
  llm_base_url: {
    ...address,
    section: 'model',
    emptied: '',
    label: () => l10n.t('Base URL'),
    help: () =>
      l10n.t(
        'The address of the model’s API, for example “https://llm.example.com/v1”. Default: the provider’s own address.',
      ),
  },
  agent: {
    ...suggestions,
    section: 'agent',
    label: () => l10n.t('Agent type'),
    help: () =>
      l10n.t(
        'The kind of agent that works on new conversations, for example “CodeActAgent”. Default: set by the service.',
      ),
  },
  language: {
    ...suggestions,
    section: 'agent',
    label: () => l10n.t('Language'),
    help: () =>
      l10n.t(
        'The language of the service’s web pages, as a code, for example “en” or “pt”. Default: set by the service.',
      ),
  },
  confirmation_mode: {
    ...optionalFlag,
    section: 'agent',
    label: () => l10n.t('Confirmation mode'),
    help: () =>
      l10n.t(
        'Agents ask for your approval before they act, for example before running a command. Default: set by the service.',
      ),
  },
  security_analyzer: {
    ...suggestions,
    section: 'agent',
    label: () => l10n.t('Security analyzer'),
    help: () =>
      l10n.t('Rates how risky an agent’s next action is, for example “llm”. Default: set by the service.'),
  },
  enable_default_condenser: {
    ...flag,
    default: true,
    section: 'agent',
    label: () => l10n.t('Condense long conversations'),
    help: () =>
      l10n.t(
        'Summarizes older parts of a conversation that outgrows the model’s context, for example after hours of work. Default: on.',
      ),
  },
  max_iterations: {
    ...wholeNumber,
    section: 'sandbox',
    label: () => l10n.t('Iteration limit'),
    help: () =>
      l10n.t(
        'The most steps an agent takes in one conversation, for example 100. Default: set by the service.',
      ),
  },
  max_budget_per_task: {
    ...amount,
    section: 'sandbox',
    label: () => l10n.t('Budget per task'),
    help: () =>
      l10n.t('Maximum cost per task, in the service’s currency, for example 7.50. Default: no limit.'),
  },
  remote_runtime_resource_factor: {
    ...wholeNumber,
    section: 'sandbox',
    label: () => l10n.t('Resource factor'),
    help: () =>
      l10n.t(
        'Multiplies the computing power of remote sandboxes, for example 2 for large builds. Default: set by the service.',
      ),
  },
  sandbox_base_container_image: {
    ...text,
    section: 'sandbox',
    label: () => l10n.t('Base container image'),
    help: () =>
      l10n.t(
        'The image sandboxes are built from, for example “python:3.12-bookworm”. Default: set by the service.',
      ),
  },
  sandbox_runtime_container_image: {
    ...text,
    section: 'sandbox',
    label: () => l10n.t('Runtime container image'),
    help: () =>
      l10n.t(
        'A ready-made image that sandboxes run unchanged, for example “registry.example.com/agents/runtime:1”. Default: set by the service.',
      ),
  },
  git_user_name: {
    ...text,
    section: 'git',
    label: () => l10n.t('Name'),
    help: () =>
      l10n.t('The author name on agents’ commits, for example “Ada Lovelace”. Default: set by the service.'),
  },
  git_user_email: {
    ...email,
    section: 'git',
    label: () => l10n.t('Email'),
    help: () =>
      l10n.t(
        'The author email on agents’ commits, for example “ada@example.com”. Default: set by the service.',
      ),
  },
  enable_sound_notifications: {
    ...flag,
    default: false,
    section: 'notifications',
    label: () => l10n.t('Sound notifications'),
    help: () =>
      l10n.t(
        'Plays a sound on the service’s web page, for example when an agent finishes or needs an answer. Default: off.',
      ),
  },
  enable_proactive_conversation_starters: {
    ...flag,
    default: true,
    section: 'notifications',
    label: () => l10n.t('Suggested conversations'),
    help: () =>
      l10n.t('The service suggests conversations, for example about open pull requests. Default: on.'),
  },
  enable_solvability_analysis: {
    ...flag,
    default: true,
    section: 'notifications',
    label: () => l10n.t('Solvability analysis'),
    help: () =>
      l10n.t(
        'The service rates how likely an agent is to solve an issue, for example one you assign to it on GitHub. Default: on.',
      ),
  },
  user_consents_to_analytics: {
    ...optionalFlag,
    section: 'notifications',
    isFinal: true,
    label: () => l10n.t('Usage analytics'),
    help: () =>
      l10n.t(
        'The service may analyze how you use it, for example which features. Once set, this can’t go back to the default. This extension collects nothing. Default: not answered.',
      ),
  },
} satisfies Record<string, AnyPlain>;

/** Every plain field, in the order of the form. */
export const fieldTable: { readonly [F in keyof typeof plain]: PlainInfo<(typeof plain)[F]['control']> } =
  plain;

const secret = {
  llm_api_key: {
    section: 'model',
    isTold: true,
    label: () => l10n.t('API key'),
    help: () =>
      l10n.t(
        'Your key for the model’s provider, for example one that starts with “sk-”. It’s sent to the service and never shown again.',
      ),
  },
  search_api_key: {
    section: 'agent',
    isTold: true,
    label: () => l10n.t('Search API key'),
    help: () => l10n.t('The key agents use for web search, for example from Tavily, starting with “tvly-”.'),
  },
  sandbox_api_key: {
    section: 'sandbox',
    isTold: false,
    label: () => l10n.t('Sandbox API key'),
    help: () =>
      l10n.t(
        'The key for a remote sandbox provider, for example your company’s. The service doesn’t say whether it has one and drops it on every save that doesn’t include it.',
      ),
  },
} satisfies Record<string, SecretInfo>;

/** Every secret field, in the order of the form, after the plain fields of its section. */
export const secretTable: Readonly<Record<keyof typeof secret, SecretInfo>> = secret;

/** Codes of the languages the service is known to offer; any other text is allowed. */
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

/** Git providers that always have a row in the form, with their public hosts. Others get one when the service has a token. */
export const knownProviders = [
  { name: 'github', label: 'GitHub', host: 'github.com' },
  { name: 'gitlab', label: 'GitLab', host: 'gitlab.com' },
  { name: 'bitbucket', label: 'Bitbucket', host: 'bitbucket.org' },
  { name: 'forgejo', label: 'Forgejo', host: 'codeberg.org' },
  { name: 'azure_devops', label: 'Azure DevOps', host: 'dev.azure.com' },
  { name: 'enterprise_sso', label: 'Enterprise SSO', host: null },
] as const;
