import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentProfile } from '../../../api/service/schemas/agentServer';
import { type ApiClient, needed } from '../../../api/service/client';
import { askNames } from '../../../editor/asking/askNames';
import { askPick, askText, back } from '../../../editor/inputs';
import type { JsonMembers } from '../../../shared/json';
import { plainText } from '../../../shared/plainText';
import { changeAgent } from '../../start';
import { readQuietly, saving } from '../../managing/editor';
import { askProfileModel, type CurrentProfiles } from './current';

/** What of a profile can be edited: the rows of its menu. */
export function edits(agent: AgentProfile, { server, models }: CurrentProfiles, client: ApiClient) {
  /** Asks for the change of a profile that is read first, and makes it. */
  const editing = (ask: (profile: JsonMembers) => Promise<JsonMembers | undefined>) => async () => {
    const profile = await read(() => server.readAgentProfile(agent.name));
    const change = profile && (await ask(profile));
    return change && saving(plainText(agent.name, 64), () => changeAgent(server, agent.name, change));
  };
  const names = (what: 'mcp_server_refs' | 'secret_refs', list: () => Promise<string[]>) =>
    editing(async (profile) => {
      const known = await read(list);
      const title =
        what === 'secret_refs' ? l10n.t('Secrets of the Agent') : l10n.t('MCP Servers of the Agent');
      const refs = known && (await askNames({ title, chosen: namesIn(profile[what]), known }));
      return refs === undefined || refs === back ? undefined : { [what]: refs };
    });
  const secrets = async () =>
    (await needed(client.secrets).listSecrets())
      .filter(({ isOwn }) => isOwn !== true)
      .map(({ name }) => name);
  const isForeign = agent.agent_kind === 'acp';
  return [
    isForeign
      ? { label: l10n.t('Change Model…'), ask: editing(askForeignModel) }
      : {
          label: l10n.t('Change Model…'),
          ask: editing(async ({ llm_profile_ref: now }) => {
            const model = await askProfileModel(models, now);
            return model === undefined ? undefined : { llm_profile_ref: model };
          }),
        },
    {
      label: l10n.t('Select MCP Servers…'),
      ask: names('mcp_server_refs', () => server.listServerNames()),
    },
    { label: l10n.t('Select Secrets…'), ask: names('secret_refs', secrets) },
    ...(isForeign ? [] : [{ label: l10n.t('Change Instructions…'), ask: editing(askInstructions) }]),
  ];
}

const read = <T>(ask: () => Promise<T>) => readQuietly(l10n.t('Couldn’t read the agent profiles.'), ask);

const namesIn = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;

async function askForeignModel({ acp_model: now }: JsonMembers): Promise<JsonMembers | undefined> {
  const model = await askText({
    title: l10n.t('Agent Profile'),
    prompt: l10n.t('Model, under the agent’s own name for it. Leave it empty to let the agent choose.'),
    value: typeof now === 'string' ? now : '',
  });
  if (typeof model !== 'string') return undefined;
  return { acp_model: model.trim() === '' ? null : model.trim() };
}

/** A box has one line, so longer instructions are written in an editor. */
async function askInstructions({
  system_message_suffix: held,
}: JsonMembers): Promise<JsonMembers | undefined> {
  const now = typeof held === 'string' ? held : '';
  const title = l10n.t('Instructions of the Agent');
  const active = vscode.window.activeTextEditor?.document;
  const text = active?.getText().trim() ?? '';
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select where the instructions come from'),
    items: [
      ...(/[\r\n]/.test(now) ? [] : [{ label: l10n.t('Enter One Line…'), from: 'box' }]),
      ...(active && text !== ''
        ? [
            {
              label: l10n.t('Use Text of the Active Editor'),
              description: plainText(active.fileName, 120),
              from: 'editor',
            },
          ]
        : []),
      { label: l10n.t('Open in an Editor'), from: 'open' },
      ...(now === '' ? [] : [{ label: l10n.t('Remove'), from: 'nowhere' }]),
    ],
  });
  switch (typeof picked === 'object' ? picked.from : '') {
    case 'box': {
      const line = await askText({
        title,
        prompt: l10n.t('Additional instructions for the agent'),
        value: now,
      });
      if (typeof line !== 'string') return undefined;
      return { system_message_suffix: line.trim() === '' ? null : line.trim() };
    }
    case 'editor':
      return { system_message_suffix: text };
    case 'nowhere':
      return { system_message_suffix: null };
    case 'open': {
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: now });
      await vscode.window.showTextDocument(document);
      void vscode.window.showInformationMessage(
        l10n.t(
          'Write the instructions here. Then change the agent’s instructions again, and select Use Text of the Active Editor.',
        ),
      );
      return undefined;
    }
    default:
      return undefined;
  }
}
