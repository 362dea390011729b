import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { FolderHooks } from '../../../api/service/folderHooks';
import type { FolderState } from '../../../api/service/serverFolders';
import type { AgentProfile, ServerFolder } from '../../../api/service/schemas/agentServer';
import { agreesToAddOn, askAddOn } from '../../../editor/asking/askAddOn';
import { askNames } from '../../../editor/asking/askNames';
import { askPick, back, type Answer } from '../../../editor/inputs';
import { codeOf } from '../../../shared/exposed';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { same } from '../../../shared/same';
import { beginning } from '../../../shared/wellFormed';
import type { SettablePolicy } from '../../../shared/transcript';
import { policies } from '../../live/editor';
import { digestOf } from '../model/agentStart';
import type { AgentChoice } from '../model/choice';

/** What the server offers, read once. */
export interface Offer {
  server: AgentServerCalls;
  open: ServerFolder[];
  saved: ServerFolder[];
  home: string;
  agents: AgentProfile[];
  active: AgentProfile;
  models: { name: string; model: string; hasKey: boolean }[];
  replacesModel: boolean;
  /** Whether a start can name the base of its worktree. */
  hasBases: boolean;
  /** Whether a start can choose between the server itself and a container. */
  hasContainers: boolean;
  /** `local`, `worktree`, or `docker`, as the settings say. */
  where: string | undefined;
  /** What is at a path; undefined if that can’t be read. */
  stateOf: (path: string) => Promise<FolderState | undefined>;
  /** The hooks of a folder; undefined if it has none, or they can’t be read. */
  hooksOf: (path: string) => Promise<FolderHooks | undefined>;
  release: string;
  policy: SettablePolicy;
  /** The custom secrets that an agent can get; undefined if they can’t be read. */
  secretsOf: (profileId: string) => Promise<readonly string[] | undefined>;
}

/** What a choice keeps of an agent profile. */
export const profileOf = ({ id, name }: AgentProfile) => ({ id, name });

export async function askAgent({ agents, active }: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const picked = await askPick({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select an agent'),
    items: agents.map((agent) => ({
      label: plainText(agent.name, 80),
      description: joined(
        agent === active ? l10n.t('active') : '',
        agent.agent_kind === 'acp' ? l10n.t('never asks') : plainText(agent.llm_profile_ref ?? '', 80),
      ),
      agent,
    })),
    isCurrent: ({ agent }) => agent.id === choice.profile.id,
  });
  if (typeof picked === 'object')
    Object.assign(choice, {
      profile: profileOf(picked.agent),
      modelProfile: undefined,
      agentModel: undefined,
    });
  return picked;
}

/** Asks for the model of an ACP agent: one that it names itself, or any other by its name. */
export async function askForeignModel({ server }: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const byItself = { label: l10n.t('Selected by the agent'), model: undefined };
  const itemOf = (model: string, name = '') => ({
    label: plainText(name || model, 80),
    ...(name !== '' && name !== model && { description: plainText(model, 120) }),
    model,
  });
  const { agentModel: chosen } = choice;
  const items: (vscode.QuickPickItem & { model: string | undefined })[] = [
    byItself,
    ...(chosen === undefined ? [] : [itemOf(chosen)]),
  ];
  const picked = await askPick({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select a model or enter its name'),
    items,
    isCurrent: ({ model }) => model === chosen,
    fromText: (text) => ({ label: text, model: text }),
    update: async (show, signal) => {
      const listed = await server.listAgentModels(choice.profile, signal).catch(() => undefined);
      const others = (listed ?? []).map(({ id, name }) => itemOf(id, name));
      if (others.length > 0) show([byItself, ...others]);
    },
  });
  if (typeof picked === 'object') choice.agentModel = picked.model;
  return picked;
}

export async function askAgentModel(
  { models }: Offer,
  choice: AgentChoice,
  agent: AgentProfile,
): Promise<Answer<unknown>> {
  const picked = await askPick({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select a model profile'),
    items: models.map(({ name, model, hasKey }) => ({
      label: plainText(name, 80),
      description: joined(plainText(model, 120), hasKey ? '' : l10n.t('no API key')),
      name,
    })),
    isCurrent: ({ name }) => name === (choice.modelProfile ?? agent.llm_profile_ref),
  });
  if (typeof picked === 'object')
    choice.modelProfile = picked.name === agent.llm_profile_ref ? undefined : picked.name;
  return picked;
}

export async function askPolicy(saved: SettablePolicy, choice: AgentChoice): Promise<Answer<unknown>> {
  const bySetting = { label: l10n.t('{0} (server’s setting)', policies[saved]()), policy: undefined };
  const picked = await askPick<vscode.QuickPickItem & { policy: SettablePolicy | undefined }>({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select when the agent asks before it acts, in this conversation'),
    items: [
      bySetting,
      ...(Object.keys(policies) as SettablePolicy[]).map((policy) => ({ label: policies[policy](), policy })),
    ],
    isCurrent: ({ policy }) => policy === choice.policy,
  });
  if (typeof picked === 'object') choice.policy = picked.policy;
  return picked;
}

/** The names that a start sends; leaves out those that the agent no longer has. */
const givenSecrets = ({ secrets: chosen }: AgentChoice, known: readonly string[]) =>
  known.filter((name) => chosen?.includes(name) !== false);

/** What the agent gets, in one line. */
export function secretsWords(choice: AgentChoice, known: readonly string[] | undefined): string {
  if (known === undefined) return l10n.t('Couldn’t be read – select to try again');
  const given = givenSecrets(choice, known);
  if (known.length === 0) return l10n.t('The agent has none');
  if (given.length === 0) return l10n.t('None');
  const names = plainText(given.join(', '), 160);
  return choice.secrets === undefined ? l10n.t('All: {0}', names) : names;
}

/** Values stay on the server: only names are offered, and kept. */
export async function askSecrets(
  choice: AgentChoice,
  known: readonly string[] | undefined,
): Promise<Answer<unknown>> {
  if (!known || known.length === 0) return back;
  const names = await askNames({
    title: l10n.t('Start an agent conversation: secrets'),
    chosen: choice.secrets ?? null,
    known,
    canGoBack: true,
  });
  if (names !== undefined && names !== back) choice.secrets = names === null ? undefined : [...names];
  return names === null ? back : names;
}

/** The plugins of a start, in one line. */
export const pluginWords = ({ plugins = [] }: AgentChoice) =>
  plugins.length === 0
    ? l10n.t('Those installed on the server')
    : l10n.t('Also {0}', plainText(plugins.map(({ source }) => source).join(', '), 160));

/** Adds a plugin to a start, or removes one that was added. */
export async function askPlugins({ server }: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const { plugins = [] } = choice;
  const title = l10n.t('Start an agent conversation: plugins');
  const answer = await askAddOn(server, 'plugin', { title, canGoBack: true, chosen: plugins });
  if (typeof answer !== 'object') return answer;
  const { from, isChosen } = answer;
  const others = plugins.filter((one) => !same(one, from));
  if (isChosen) choice.plugins = others;
  else if (
    await agreesToAddOn(l10n.t('Use the plugin from {0}?', plainText(from.source, 200)), l10n.t('Use'))
  )
    choice.plugins = [...others, from];
  return answer;
}

/** Whether the user has decided about the hooks of the folder as they are now. */
export const isDecided = (choice: AgentChoice, hooks: FolderHooks): boolean =>
  choice.hooks?.digest === digestOf(choice, hooks);

/** What becomes of the hooks, in one line. */
export function folderHookWords(choice: AgentChoice, hooks: FolderHooks): string {
  if (!isDecided(choice, hooks)) return l10n.t('You’ll be asked');
  return choice.hooks?.isOn === true ? l10n.t('Run without asking') : l10n.t('Left out');
}

/** What isn’t ASCII, an accented letter, or a word in Chinese, Japanese, or Korean: it may pass for something else. */
const odd = /[^ -~\nÀ-ÿ\u3041-\u3096\u30a1-\u30cd\u30cf-\u30fa\u4e01-\u4e27\u4e40-\u9fff\uac00-\ud7a3]/gu;

/** Most hooks, and characters of each and of all, in a question: more would be out of sight. */
const most = { hooks: 20, characters: 300, all: 1_200 };

/** Asks whether the hooks of the folder run. */
export async function askHooks(
  { hooks, config }: FolderHooks,
  choice: AgentChoice,
): Promise<Answer<unknown>> {
  const isRead = hooks.length > 0;
  let left = most.all;
  // A line break ends a command, and a comment.
  const shown = hooks
    .slice(0, most.hooks)
    .map(({ event, tools, text }) => {
      const line = beginning(`${[event, tools].filter(Boolean).join(' ')}: ${text}`, most.characters + 1);
      const safe = line.replace(odd, codeOf).replaceAll('\n', ' ⏎ ');
      return `• ${safe.length > most.characters ? `${beginning(safe, most.characters)}…` : safe}`;
    })
    .filter((line) => (left -= line.length) > 0);
  const isCut = shown.length < hooks.length || shown.some((line) => line.endsWith('…'));
  const detail = [
    l10n.t(
      'They run on the server without asking, whatever the confirmation policy. They may also be what keeps the agent from doing harm.',
    ),
    ...(isCut ? [l10n.t('There’s more in them. Look at the file first.')] : []),
    ...(isRead ? [shown.join('\n')] : []),
  ].join('\n\n');
  const [run, leaveOut] = [l10n.t('Run Hooks'), l10n.t('Leave Out')];
  const folder = plainText(choice.folder, 200);
  const question = isRead
    ? l10n.t('Run the hooks in .openhands/hooks.json of “{0}”?', folder)
    : l10n.t('The hooks in .openhands/hooks.json of “{0}” can’t be read. Start without them?', folder);
  const buttons = isRead ? [run, leaveOut] : [leaveOut];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer === undefined) return back;
  choice.hooks = { digest: digestOf(choice, { hooks, config }), isOn: answer === run };
  return answer;
}
