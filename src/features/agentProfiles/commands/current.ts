import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ModelProfile } from '../../../api/service/current/profiles';
import type { AgentProfile } from '../../../api/service/schemas/agentServer';
import { askPick } from '../../../editor/inputs';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';

/** What there is to choose from, and the server that has it. */
export interface CurrentProfiles {
  server: AgentServerCalls;
  agents: readonly AgentProfile[];
  active: string | null | undefined;
  models: readonly ModelProfile[];
}

/** The name of a model profile. */
export async function askProfileModel(
  models: readonly ModelProfile[],
  current?: unknown,
): Promise<string | undefined> {
  if (models.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('The server has no model profiles yet. Set up a model first.'),
    );
    return undefined;
  }
  const picked = await askPick({
    title: l10n.t('Agent Profile'),
    placeholder: l10n.t('Select a model profile'),
    items: models.map(({ name, model, api_key_set: hasKey }) => ({
      name,
      label: plainText(name, 64),
      description: joined(plainText(model ?? '', 120), hasKey === false ? l10n.t('no API key') : ''),
    })),
    isCurrent: ({ name }) => name === current,
  });
  return typeof picked === 'object' ? picked.name : undefined;
}
