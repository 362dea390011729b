import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { AddOn, Skill, SubAgent } from '../../../api/service/skills';
import { isSameFolder } from '../../../core/sameFolder';
import type { Handler } from '../../../editor/handler';
import { agreesToAddOn, askAddOn } from '../../../editor/asking/askAddOn';
import { askPick, confirmed } from '../../../editor/inputs';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { isLoopback } from '../../../shared/url';
import {
  addItem,
  askChange,
  altering,
  type Change,
  type ChangeItem,
  manageOnServer,
  type ManageNeeds,
  tellOwn,
} from '../../managing/editor';

type Needs = ManageNeeds & {
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
};

interface Current {
  server: AgentServerCalls;
  skills: readonly Skill[];
  addOns: readonly AddOn[];
  subAgents: readonly SubAgent[];
}

/** Manage Skills and Plugins…: what agents are told in this folder, and what is installed on the server. */
export function manageSkills(needs: Needs): Handler {
  return async () => {
    let folder: Promise<string | undefined> | undefined;
    await manageOnServer(needs, {
      unread: l10n.t('Couldn’t read the skills and plugins.'),
      read: async (server, { baseUrl }): Promise<Current> => {
        folder ??= openFolder(server, baseUrl);
        const place = await folder;
        const [addOns, skills, subAgents] = await Promise.all([
          server.listAddOns(),
          server.listSkills(place),
          server.listSubAgents(place),
        ]);
        return { server, addOns, skills, subAgents };
      },
      choose: (current) => chooseChange(needs, current),
    });
  };
}

/** The folder of the active file, or else the first open one, if it’s one of the server’s computer. */
async function openFolder(server: AgentServerCalls, baseUrl: string): Promise<string | undefined> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const own = file && vscode.workspace.getWorkspaceFolder(file);
  const uri = (own ?? vscode.workspace.workspaceFolders?.[0])?.uri;
  if (uri?.scheme !== 'file' || !isLoopback(new URL(baseUrl).hostname)) return undefined;
  const isSame = await isSameFolder(server, uri.fsPath).catch(() => false);
  return isSame ? uri.fsPath : undefined;
}

async function chooseChange(
  { showDocument }: Needs,
  { server, skills, addOns, subAgents }: Current,
): Promise<Change | undefined> {
  const installed = addOns.map((addOn): ChangeItem => ({
    label: shown(addOn),
    description: joined(kindWords[addOn.kind](), addOn.isOn ? '' : l10n.t('off')),
    detail: plainText(addOn.description || addOn.source, 200),
    ask: () => (addOn.kind === 'canvas-extension' ? tellOwn(shown(addOn)) : askAction(addOn, server)),
  }));
  const readable = (one: Skill | SubAgent, description: string, text = one.content): ChangeItem => ({
    label: shown(one),
    description,
    detail: plainText(one.description ?? one.source ?? '', 200),
    ask: async () => {
      await showDocument(shown(one), text, 'md');
      return undefined;
    },
  });
  const others = [
    ...skills
      .filter(({ name }) => !addOns.some((addOn) => addOn.kind === 'skill' && addOn.name === name))
      .map((skill) => readable(skill, l10n.t('applies here'))),
    ...subAgents.map((one) =>
      readable(one, one.is_builtin ? l10n.t('built-in sub-agent') : l10n.t('sub-agent'), agentText(one)),
    ),
  ];
  return askChange({
    title: l10n.t('Skills and Plugins'),
    placeholder: l10n.t('Select one, or install one'),
    items: [...installed, ...others, addItem(l10n.t('Install Skill or Plugin…'), () => askInstall(server))],
  });
}

/** What a sub-agent is told, after what it can use. */
const agentText = ({ tools, content }: SubAgent) =>
  [`# ${l10n.t('Tools')}`, ...(tools ?? []).map((tool) => `- ${tool}`), '', content].join('\n');

const shown = ({ name }: { name: string }) => plainText(name, 80);

const kindWords: Readonly<Record<AddOn['kind'], () => string>> = {
  skill: () => l10n.t('installed skill'),
  plugin: () => l10n.t('installed plugin'),
  'canvas-extension': () => l10n.t('Canvas extension'),
};

async function askAction(addOn: AddOn, server: AgentServerCalls): Promise<Change | undefined> {
  const change = (make: Change['make']) => altering(shown(addOn), make);
  const act = (label: string, make: Change['make']): ChangeItem => ({ label, ask: () => change(make) });
  return askChange({
    title: shown(addOn),
    items: [
      addOn.isOn
        ? act(l10n.t('Turn Off'), () => server.switchAddOn(addOn, false))
        : act(l10n.t('Turn On'), () => server.switchAddOn(addOn, true)),
      act(l10n.t('Refresh from Its Source'), () => server.refreshAddOn(addOn)),
      {
        label: l10n.t('Remove'),
        ask: async () => {
          const agreed = await confirmed(
            l10n.t('Remove “{0}”?', shown(addOn)),
            l10n.t('New conversations won’t get it anymore. You can’t undo this.'),
            l10n.t('Remove'),
          );
          return agreed ? change(() => server.removeAddOn(addOn)) : undefined;
        },
      },
    ],
  });
}

async function askInstall(server: AgentServerCalls): Promise<Change | undefined> {
  const title = l10n.t('Install Skill or Plugin');
  const picked = await askPick({
    title,
    placeholder: l10n.t('Select what to install'),
    items: [
      { label: l10n.t('Skill'), detail: l10n.t('Instructions for agents'), what: 'skill' as const },
      {
        label: l10n.t('Plugin'),
        detail: l10n.t('Skills with commands, hooks, and agents'),
        what: 'plugin' as const,
      },
    ],
  });
  if (typeof picked !== 'object') return undefined;
  const answer = await askAddOn(server, picked.what, { title });
  if (typeof answer !== 'object') return undefined;
  const { from } = answer;
  const shownSource = plainText(from.source, 200);
  if (!(await agreesToAddOn(l10n.t('Install from {0}?', shownSource), l10n.t('Install')))) return undefined;
  return {
    progress: l10n.t('Installing from {0}…', shownSource),
    failed: l10n.t('Couldn’t install from {0}.', shownSource),
    make: () => server.install(picked.what, from),
  };
}
