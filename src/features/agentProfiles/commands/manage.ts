import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ApiClient } from '../../../api/service/client';
import type { ModelProfile } from '../../../api/service/current/profiles';
import type { AgentProfile } from '../../../api/service/schemas/agentServer';
import type { Handler } from '../../../editor/handler';
import { askPick, askText, needsText } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { agentProfileName } from '../../../shared/serviceNames';
import { addAgent, nameTaken } from '../../managing';
import {
  addItem,
  askChange,
  askDelete,
  askName,
  type Change,
  type ChangeItem,
  manageOnServer,
  type ManageNeeds,
  type NameQuestion,
  saving,
} from '../../managing/editor';
import { agentProblem } from '../../start';
import { edits } from './edit';
import { askProfileModel, type CurrentProfiles } from './current';

/** Manage Agent Profiles…: the agents that an agent server can start, each with its model, MCP servers, and secrets. */
export function manageAgentProfiles(needs: ManageNeeds): Handler {
  return () =>
    manageOnServer(needs, {
      unread: l10n.t('Couldn’t read the agent profiles.'),
      read: readCurrent,
      choose: chooseChange,
    });
}

/** One after another: reading the agents may create the model that they name. */
async function readCurrent(server: AgentServerCalls): Promise<CurrentProfiles> {
  const { profiles: agents, active_agent_profile_id: active } = await server.listAgentProfiles();
  const { profiles: models } = await server.listModelProfiles();
  return { server, agents, active, models };
}

async function chooseChange(current: CurrentProfiles, client: ApiClient): Promise<Change | undefined> {
  const items = current.agents.map((agent): ChangeItem => ({
    id: agent.id,
    label: shown(agent),
    description:
      agent.agent_kind === 'acp' ? l10n.t('never asks') : plainText(agent.llm_profile_ref ?? '', 80),
    ask: () => askAction(agent, current, client),
  }));
  return askChange({
    title: l10n.t('Agent Profiles'),
    placeholder: l10n.t('Select a profile, or add one'),
    items: [...items, addItem(l10n.t('New Profile…'), () => askNew(current))],
    isCurrent: ({ id }) => id !== undefined && id === current.active,
  });
}

const shown = ({ name }: { name: string }) => plainText(name, 64);

/** Asks what to do with a profile. */
async function askAction(
  agent: AgentProfile,
  current: CurrentProfiles,
  client: ApiClient,
): Promise<Change | undefined> {
  const { server } = current;
  return askChange({
    title: l10n.t('Agent Profile {0}', shown(agent)),
    items: [
      { label: l10n.t('Use for New Conversations'), ask: () => use(agent, server) },
      { label: l10n.t('Check'), ask: () => check(agent, server) },
      ...edits(agent, current, client),
      { label: l10n.t('Rename…'), ask: () => askRename(agent, current) },
      {
        label: l10n.t('Delete'),
        ask: () =>
          askDelete(
            shown(agent),
            l10n.t('Conversations that were started with it continue. You can’t undo this.'),
            () => server.deleteAgentProfile(agent.name),
          ),
      },
    ],
  });
}

const use = (agent: AgentProfile, server: AgentServerCalls): Change => ({
  progress: l10n.t('Switching to {0}…', shown(agent)),
  failed: l10n.t('Couldn’t switch to “{0}”.', shown(agent)),
  make: () => server.activateAgentProfile(agent.id),
});

const check = (agent: AgentProfile, server: AgentServerCalls): Change => ({
  progress: l10n.t('Checking…'),
  failed: l10n.t('Couldn’t check the agent profile.'),
  make: async () => {
    const answer = await server.checkAgentProfile(agent.name);
    const problem = agentProblem(agent.name, answer);
    if (problem !== undefined) void vscode.window.showWarningMessage(problem);
    else
      void vscode.window.showInformationMessage(
        answer.hasKey || agent.agent_kind === 'acp'
          ? l10n.t('The agent “{0}” is ready to start.', shown(agent))
          : l10n.t('The agent “{0}” is ready to start, but no key is set for its model.', shown(agent)),
      );
  },
});

/** Asks for name, kind, and model of a new profile. */
async function askNew({ server, agents, models }: CurrentProfiles): Promise<Change | undefined> {
  const name = await askProfileName({
    prompt: l10n.t('Name of the profile'),
    refused: (text) => nameTaken(text, agents),
  });
  const members = name === undefined ? undefined : await askMembers(models);
  if (name === undefined || !members) return undefined;
  const tries = { mayHaveStored: false };
  return saving(name, () => addAgent(server, name, members, tries));
}

/** Agents that every release from 1.34 on can start. */
const makers = [
  [undefined, 'OpenHands'],
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini-cli', 'Gemini CLI'],
  ['custom', ''],
] as const;

async function askMembers(models: readonly ModelProfile[]) {
  const maker = await askPick({
    title: l10n.t('Agent Profile'),
    placeholder: l10n.t('Select an agent'),
    items: makers.map(([id, name]) => ({
      id,
      label: id === 'custom' ? l10n.t('Another Agent, by Its Command…') : name,
      ...(id !== undefined && { description: l10n.t('never asks') }),
    })),
  });
  if (typeof maker !== 'object') return undefined;
  if (maker.id === 'custom') {
    const command = await askText({
      title: l10n.t('Agent Profile'),
      prompt: l10n.t('Command that starts the agent on the server’s computer. It has to speak ACP.'),
      validate: needsText,
    });
    if (typeof command !== 'string') return undefined;
    return { agent_kind: 'acp', acp_server: 'custom', acp_command: command.trim() };
  }
  if (maker.id !== undefined) return { agent_kind: 'acp', acp_server: maker.id };
  const model = await askProfileModel(models);
  return model === undefined ? undefined : { agent_kind: 'openhands', llm_profile_ref: model };
}

async function askRename(
  agent: AgentProfile,
  { server, agents }: CurrentProfiles,
): Promise<Change | undefined> {
  const others = agents.filter(({ id }) => id !== agent.id);
  const name = await askProfileName({
    prompt: l10n.t('Name of the profile'),
    value: agent.name,
    refused: (text) => nameTaken(text, others),
  });
  if (name === undefined || name === agent.name) return undefined;
  return saving(name, () => server.renameAgentProfile(agent.name, name));
}

/** Asks for the name of a profile. */
const askProfileName = (question: Omit<NameQuestion, 'title' | 'form' | 'rule'>) =>
  askName({
    title: l10n.t('Agent Profile'),
    form: agentProfileName,
    rule: l10n.t(
      'Use 1 to 64 letters, digits, dots, hyphens, and underscores. Start with a letter or digit.',
    ),
    ...question,
  });
