import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type AgentServerCalls,
  canReplaceModel,
  hasWorktreeBase,
} from '../../../api/service/agentServerStart';
import type { ApiClient } from '../../../api/service/client';
import type { FolderHooks } from '../../../api/service/folderHooks';
import type { FolderState } from '../../../api/service/serverFolders';
import type { ServerFolder } from '../../../api/service/schemas/agentServer';
import { isSameFolder } from '../../../core/sameFolder';
import { askPick, back, type Answer } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { commandIds } from '../../../ids';
import { plainText } from '../../../shared/plainText';
import { isLoopback } from '../../../shared/url';
import { policies } from '../../live/editor';
import { tellFailed } from '../../targets/editor';
import { folderProblem } from '../model/agentFolder';
import { cannotStartOn } from '../model/agentStart';
import { askClone, askFolder, askWhere, folderLabel, folderWords, whereWords } from './askAgentPlace';
import {
  askAgent,
  askAgentModel,
  askForeignModel,
  askHooks,
  askPlugins,
  askPolicy,
  askSecrets,
  folderHookWords,
  isDecided,
  type Offer,
  pluginWords,
  profileOf,
  secretsWords,
} from './agentStartParts';
import type { AgentChoice, ConversationChoice } from '../model/choice';
import { type ToldLimit, workingWords } from '../model/toldLimits';
import {
  type AttemptsDraft,
  type AttemptDifference,
  askAttempts,
  attemptsWords,
  differIn,
  stay,
} from './askAttempts';

type Item = vscode.QuickPickItem & { ask?: () => Promise<Answer<unknown>> };

/**
 * Shows the options of a new conversation on a standalone agent server. The first item starts; each other item asks for
 * a new value and comes back here. Undefined if the user left, or was told why it isn’t possible.
 */
export async function askAgentStart(
  client: ApiClient,
  previous: ConversationChoice,
  {
    isWithChanges,
    folder,
    about,
    attempts,
    working = [],
    told,
    setUpModel,
  }: {
    isWithChanges: boolean;
    folder: string | undefined;
    /** The address of the file that the message is about. */
    about?: string | undefined;
    attempts?: AttemptsDraft | undefined;
    /** The folders of the agents that work there. */
    working?: readonly (string | null | undefined)[];
    /** What the server said about its limit. */
    told?: ToldLimit | undefined;
    /** Asks for a model where there is none. */
    setUpModel: () => Promise<void>;
  },
): Promise<ConversationChoice | undefined> {
  if (isWithChanges) {
    void vscode.window.showWarningMessage(
      l10n.t('A standalone agent server can’t take your changes with a message. Your message is still here.'),
    );
    return undefined;
  }
  const { agents: server } = client;
  const read = async () => server && readOffer(server, client.baseUrl);
  let offer = await read();
  if (offer === 'noModel') {
    await setUpModel();
    offer = await read();
  }
  if (offer === 'noModel') void offerSetUp();
  if (!offer || offer === 'noModel') return undefined;
  const { model, ...others } = previous;
  const first = firstOf(offer, previous.agent, model, about);
  const choice = folder === undefined ? first : { ...first, folder, clone: undefined };
  let placeholder = l10n.t('Press Enter to start, or select an option to change it');
  const several = () => askAttempts(attempts ?? { variants: [] }, () => Promise.resolve(differences(offer)));
  if (attempts && typeof (await several()) !== 'object') return undefined;
  for (;;) {
    const [secrets, state, hooks] = await Promise.all([
      offer.secretsOf(choice.profile.id),
      choice.folder === '' ? undefined : offer.stateOf(choice.folder),
      choice.folder === '' ? undefined : offer.hooksOf(choice.folder),
    ]);
    const picked = await askPick<Item>({
      title: l10n.t('Start an agent conversation'),
      placeholder,
      items: items(
        offer,
        choice,
        { secrets, state, hooks, isShared: working.includes(choice.folder) },
        workingWords(attempts?.variants.length ?? 1, working.length, told),
        attempts && { draft: attempts, ask: several },
      ),
    });
    if (typeof picked !== 'object') return undefined;
    if (picked.ask) {
      if ((await picked.ask()) === undefined) return undefined;
    } else if (choice.folder === '') {
      placeholder = l10n.t('Select the folder that the agent works in');
      if ((await askFolder(offer, choice)) === undefined) return undefined;
    } else {
      const isWorktree = choice.isWorktree || attempts !== undefined;
      const isThere = state && choice.clone === undefined;
      const problem = isThere ? folderProblem(choice.folder, state, isWorktree) : undefined;
      if (problem === undefined) {
        if (!hooks) choice.hooks = undefined;
        const isOpen = hooks && !isDecided(choice, hooks);
        if (!isOpen || (await askHooks(hooks, choice)) !== back) return { ...others, agent: choice };
      } else placeholder = problem;
    }
  }
}

/** Undefined if the user left, or was told why no conversation can start. */
async function readOffer(server: AgentServerCalls, baseUrl: string): Promise<Offer | 'noModel' | undefined> {
  try {
    return await unlessCanceled(l10n.t('Reading…'), async (_report, signal) => {
      const about = await server.about(signal);
      const problem = cannotStartOn(about);
      if (problem !== undefined) {
        void vscode.window.showWarningMessage(problem);
        return undefined;
      }
      // Reading the agents may create the model that they name.
      const { profiles: agents, active_agent_profile_id: activeId } = await server.listAgentProfiles(signal);
      const [{ profiles }, { policy, where }, saved, home] = await Promise.all([
        server.listModelProfiles(signal),
        server.startDefaults(signal),
        server.listWorkspaces(signal).catch(() => []),
        server.homeFolder(signal).catch(() => '/'),
      ]);
      const active = agents.find(({ id }) => id === activeId) ?? agents[0];
      if (!active) {
        void vscode.window.showWarningMessage(
          l10n.t('The agent server has no agent to start. Create an agent profile there.'),
        );
        return undefined;
      }
      if (profiles.length === 0 && active.agent_kind !== 'acp') return 'noModel' as const;
      const models = profiles.map(({ name, model, api_key_set: hasKey }) => ({
        name,
        model: model ?? '',
        hasKey: hasKey === true,
      }));
      const isNear = about.runtime !== 'docker' && isLoopback(new URL(baseUrl).hostname);
      const open = isNear ? await openFolders(server) : [];
      const replacesModel = canReplaceModel(about);
      const release = about.release ?? '';
      const hasContainers = about.runtimes?.includes('docker') === true && about.runtimes.length > 1;
      const stateOf = once((path) => server.readFolder(path));
      const hooksOf = once((path) => server.readHooks(path));
      const secretsOf = once((id) => server.listSecretNames(id));
      await secretsOf(active.id);
      return {
        ...{ server, open, saved, home, agents, active, models, replacesModel, release, policy, where },
        ...{ secretsOf, stateOf, hooksOf, hasContainers, hasBases: hasWorktreeBase(about) },
      };
    });
  } catch (error) {
    await tellFailed(
      l10n.t('Couldn’t read what the agent server offers. Your message is still here.'),
      error,
    );
    return undefined;
  }
}

/** Reads each thing until it’s known; undefined while it can’t be read. */
function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T | undefined> {
  const known = new Map<string, T>();
  return async (key) => {
    const found = known.get(key) ?? (await read(key).catch(() => undefined));
    if (found !== undefined) known.set(key, found);
    return found;
  };
}

/** Without any model, no conversation can start. */
async function offerSetUp(): Promise<void> {
  const setUp = l10n.t('Set Up Model…');
  const words = l10n.t(
    'The agent server has no model yet, so its agent can’t work. Your message is still here.',
  );
  if ((await vscode.window.showWarningMessage(words, setUp)) === setUp)
    await vscode.commands.executeCommand(commandIds.modelSetUp);
}

/** The folders open in this window that the server has, too. */
async function openFolders(server: AgentServerCalls): Promise<ServerFolder[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = folders.map(async ({ name, uri }) =>
    uri.scheme === 'file' && (await isSameFolder(server, uri.fsPath)) ? [{ name, path: uri.fsPath }] : [],
  );
  return (await Promise.all(found)).flat();
}

/**
 * What was selected last, as far as the server still has it.
 * @param llm the model of a conversation to start again
 * @param about the address of a file, whose folder counts more
 */
function firstOf(
  { agents, active, models, open, saved, hasBases, hasContainers, where }: Offer,
  previous: AgentChoice | undefined,
  llm: string | undefined,
  about: string | undefined,
): AgentChoice {
  const file = about === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(about));
  const ofFile = open.filter(({ path }) => path === file?.uri.fsPath);
  const here = ofFile.length > 0 ? ofFile : open;
  const agent = agents.find(({ id }) => id === previous?.profile.id) ?? active;
  const isElsewhere = here.length > 0 && !here.some(({ path }) => path === previous?.folder);
  const own = models.find(({ name }) => name === agent.llm_profile_ref);
  const model = models.find(({ name, model }) =>
    previous?.modelProfile === undefined
      ? model === llm && own?.model !== llm
      : name === previous.modelProfile,
  );
  // The folder that is open here comes first: the previous one may be of another window.
  const isKept = previous !== undefined && previous.folder !== '' && !isElsewhere;
  const container = previous ? previous.runtime : where === 'docker' ? 'docker' : undefined;
  return {
    folder: isKept ? previous.folder : (here[0]?.path ?? saved[0]?.path ?? ''),
    clone: isKept ? previous.clone : undefined,
    isWorktree: previous?.isWorktree ?? where === 'worktree',
    worktreeBase: hasBases ? previous?.worktreeBase : undefined,
    runtime: hasContainers ? container : undefined,
    profile: profileOf(agent),
    agentModel: agent.id === previous?.profile.id ? previous.agentModel : undefined,
    modelProfile: model?.name,
    policy: previous?.policy,
    secrets: previous?.secrets,
    plugins: previous?.plugins,
    hooks: previous?.hooks,
  };
}

/** What attempts can differ in. */
function differences({ models, agents, replacesModel }: Offer): AttemptDifference[] {
  const byModel: AttemptDifference = {
    kind: 'model',
    label: l10n.t('Model'),
    detail: l10n.t('Compare what different models do with the task'),
    placeholder: l10n.t('Select the models'),
    items: models.map(({ name, model }) => {
      const label = plainText(name, 80);
      return { label, description: plainText(model, 120), variant: { label, modelProfile: name } };
    }),
  };
  const byAgent: AttemptDifference = {
    kind: 'agent',
    label: l10n.t('Agent'),
    detail: l10n.t('Compare what different agents do with the task'),
    placeholder: l10n.t('Select the agents'),
    items: agents.map((agent) => {
      const label = plainText(agent.name, 80);
      return { label, variant: { label, profile: profileOf(agent) } };
    }),
  };
  return [...(replacesModel ? [byModel] : []), byAgent];
}

/** What is read again for each choice. */
interface Known {
  secrets: readonly string[] | undefined;
  state: FolderState | undefined;
  hooks: FolderHooks | undefined;
  /** Whether an agent works in the folder already. */
  isShared: boolean;
}

function items(
  offer: Offer,
  choice: AgentChoice,
  { secrets, state, hooks, isShared }: Known,
  runs: string,
  several?: { draft: AttemptsDraft; ask: () => Promise<Answer<unknown>> },
): Item[] {
  const { agents, models, replacesModel, release, policy } = offer;
  const attempts = several?.draft;
  const agent = agents.find(({ id }) => id === choice.profile.id) ?? offer.active;
  const isForeign = agent.agent_kind === 'acp';
  const item = (label: string, description: string, icon: string, ask: Item['ask'], detail = ''): Item => ({
    label,
    description,
    ...(detail !== '' && { detail }),
    iconPath: new vscode.ThemeIcon(icon),
    ...(ask && { ask }),
  });
  const place = whereWords(choice, state, isShared);
  const model = models.find(({ name }) => name === (choice.modelProfile ?? agent.llm_profile_ref));
  const modelWords = plainText(
    [choice.modelProfile ?? agent.llm_profile_ref, model?.model].filter(Boolean).join(' – '),
    160,
  );
  const keyless = model && !model.hasKey ? l10n.t('No key is set for this model.') : '';
  const modelItem = isForeign
    ? item(
        l10n.t('Model'),
        choice.agentModel === undefined ? l10n.t('Selected by the agent') : plainText(choice.agentModel, 120),
        'sparkle',
        () => askForeignModel(offer, choice),
      )
    : replacesModel
      ? item(l10n.t('Model'), modelWords, 'sparkle', () => askAgentModel(offer, choice, agent), keyless)
      : item(
          l10n.t('Model'),
          modelWords,
          'sparkle',
          stay,
          l10n.t('Release {0} can’t use another model than the agent’s.', plainText(release, 40)),
        );
  return [
    item(
      attempts ? l10n.t('Start {0} Attempts', attempts.variants.length) : l10n.t('Start Conversation'),
      l10n.t('with these options'),
      'play',
      undefined,
      runs,
    ),
    ...(several ? [item(l10n.t('Attempts'), attemptsWords(several.draft), 'layers', several.ask)] : []),
    item(
      l10n.t('Folder'),
      choice.folder === '' ? l10n.t('None selected') : folderLabel(choice),
      'folder',
      () => askFolder(offer, choice),
      choice.folder === '' ? '' : folderWords(choice, state),
    ),
    item(
      l10n.t('Repository'),
      choice.clone === undefined
        ? l10n.t('None, the folder as it is')
        : l10n.t('Clone {0}', plainText(choice.clone, 160)),
      'repo-clone',
      () => askClone(offer, choice),
    ),
    several
      ? item(l10n.t('Worktree'), l10n.t('New, one for each attempt'), 'git-branch', stay)
      : item(
          choice.runtime === 'docker' ? l10n.t('Container') : l10n.t('Worktree'),
          place.description,
          choice.runtime === 'docker' ? 'package' : 'git-branch',
          () => askWhere(offer, choice),
          place.detail,
        ),
    ...(differIn(attempts, 'profile')
      ? []
      : [
          item(l10n.t('Agent'), plainText(agent.name, 80), 'hubot', () => askAgent(offer, choice)),
          ...(differIn(attempts, 'modelProfile') ? [] : [modelItem]),
        ]),
    isForeign
      ? item(
          l10n.t('Confirmation policy'),
          l10n.t('This agent decides by itself and never asks'),
          'shield',
          stay,
        )
      : item(
          l10n.t('Confirmation policy'),
          choice.policy === undefined
            ? l10n.t('{0} (server’s setting)', policies[policy]())
            : policies[choice.policy](),
          'shield',
          () => askPolicy(policy, choice),
        ),
    differIn(attempts, 'profile')
      ? item(l10n.t('Secrets'), l10n.t('Each agent’s own'), 'key', stay)
      : item(l10n.t('Secrets'), secretsWords(choice, secrets), 'key', () => askSecrets(choice, secrets)),
    ...(isForeign
      ? []
      : [item(l10n.t('Plugins'), pluginWords(choice), 'extensions', () => askPlugins(offer, choice))]),
    ...(hooks
      ? [item(l10n.t('Hooks'), folderHookWords(choice, hooks), 'zap', () => askHooks(hooks, choice))]
      : []),
  ];
}
