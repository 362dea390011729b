import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { Automation, AutomationRun } from '../../../api/service/automations';
import { Refusal } from '../../../core/basics/refusal';
import type { Handler } from '../../../editor/handler';
import { askPick, confirmed } from '../../../editor/inputs';
import { showError, withQuietProgress } from '../../../editor/progress';
import { age } from '../../../shared/age';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { manage, type Change, type ManageNeeds } from '../../managing/editor';
import { serverOf } from '../../targets/editor';
import { runWords, triggerWords } from '../model/words';

type Needs = ManageNeeds & {
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  showDocument: (title: string, text: string, ending: 'txt' | 'md') => Promise<void>;
};

interface Present {
  server: AgentServerCalls;
  automations: readonly Automation[];
}

interface Item extends vscode.QuickPickItem {
  ask: () => Promise<Change | undefined>;
}

/** Manage Automations…: what the automation service of Agent Canvas starts by itself. */
export function manageAutomations(needs: Needs): Handler {
  return async () => {
    if (!serverOf(needs)) return;
    const lacking = l10n.t('This server has no automation service. Agent Canvas has one.');
    await manage<Present | undefined>(needs, {
      lacking,
      reading: l10n.t('Reading automations…'),
      unread: l10n.t('Couldn’t read the automations.'),
      read: async ({ agentServer: server }) => {
        if (!server || !(await server.about()).hasAutomations) return undefined;
        return { server, automations: await server.listAutomations() };
      },
      choose: async (present) => {
        if (present) return chooseAutomation(present, needs);
        void vscode.window.showInformationMessage(lacking);
        return undefined;
      },
    });
  };
}

async function chooseAutomation({ server, automations }: Present, needs: Needs): Promise<Change | undefined> {
  if (automations.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('No automations yet. Create one in Agent Canvas, and it appears here.'),
    );
    return undefined;
  }
  const picked = await askPick<Item>({
    title: l10n.t('Automations'),
    placeholder: l10n.t('Select an automation'),
    items: automations.map((one) => {
      const last = age(one.last_triggered_at, Date.now());
      return {
        label: shown(one),
        description: joined(
          one.enabled === false ? l10n.t('Off') : undefined,
          triggerWords(one.trigger, vscode.env.language),
          last === undefined ? l10n.t('never run') : l10n.t('last run {0}', last),
        ),
        iconPath: new vscode.ThemeIcon(one.enabled === false ? 'circle-slash' : 'watch'),
        ask: () => askAction(one, server, needs),
      };
    }),
  });
  return typeof picked === 'object' ? picked.ask() : undefined;
}

const shown = ({ name }: Automation) => plainText(name ?? '', 100) || l10n.t('Unnamed');

async function askAction(
  automation: Automation,
  server: AgentServerCalls,
  needs: Needs,
): Promise<Change | undefined> {
  const isOn = automation.enabled !== false;
  const run: Item = { label: l10n.t('Run Now'), ask: () => Promise.resolve(runNow(automation, server)) };
  const picked = await askPick<Item>({
    title: l10n.t('Automation {0}', shown(automation)),
    placeholder: l10n.t('Select what to do'),
    items: [
      // The server refuses to run one that is off.
      ...(isOn ? [run] : []),
      {
        label: isOn ? l10n.t('Turn Off') : l10n.t('Turn On'),
        ask: () => Promise.resolve(turn(automation, !isOn, server)),
      },
      { label: l10n.t('Show Runs…'), ask: () => showRuns(automation, server, needs) },
      { label: l10n.t('Delete'), ask: () => askDelete(automation, server) },
    ],
  });
  return typeof picked === 'object' ? picked.ask() : undefined;
}

const runNow = (automation: Automation, server: AgentServerCalls): Change => ({
  progress: l10n.t('Starting {0}…', shown(automation)),
  failed: l10n.t('Couldn’t run the automation.'),
  make: () => server.runAutomation(automation.id),
});

const turn = (automation: Automation, on: boolean, server: AgentServerCalls): Change => ({
  progress: on ? l10n.t('Turning on {0}…', shown(automation)) : l10n.t('Turning off {0}…', shown(automation)),
  failed: on ? l10n.t('Couldn’t turn the automation on.') : l10n.t('Couldn’t turn the automation off.'),
  make: async () => {
    const now = await server.turnAutomation(automation.id, on);
    if (now !== on) throw new Refusal(l10n.t('The server left it as it was.'));
  },
});

async function askDelete(automation: Automation, server: AgentServerCalls): Promise<Change | undefined> {
  const sure = await confirmed(
    l10n.t('Delete the automation “{0}”?', shown(automation)),
    l10n.t('The conversations of its runs stay. A run that is in progress continues.'),
    l10n.t('Delete'),
  );
  if (!sure) return undefined;
  return {
    progress: l10n.t('Deleting {0}…', shown(automation)),
    failed: l10n.t('Couldn’t delete the automation.'),
    make: () => server.deleteAutomation(automation.id),
  };
}

/** Opens the conversation of a run, or what is known of a run without one. */
async function showRuns(automation: Automation, server: AgentServerCalls, needs: Needs): Promise<undefined> {
  const runs = await withQuietProgress(l10n.t('Reading runs…'), () =>
    server.listAutomationRuns(automation.id),
  ).then(undefined, async (error: unknown) => {
    await showError(l10n.t('Couldn’t read the runs.'), error);
    return undefined;
  });
  if (!runs) return;
  if (runs.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('“{0}” hasn’t run yet.', shown(automation)));
    return;
  }
  const picked = await askPick({
    title: l10n.t('Runs of {0}', shown(automation)),
    placeholder: l10n.t('Select a run to open its conversation or its log'),
    items: runs.map((run) => ({
      run,
      label: runWords(run),
      description: age(run.created_at, Date.now()) ?? '',
      detail: plainText(run.error_detail ?? '', 200),
    })),
  });
  if (typeof picked !== 'object') return;
  const { run } = picked;
  if (run.conversation_id) await needs.showConversation(run.conversation_id);
  else await needs.showDocument(l10n.t('Run of {0}', shown(automation)), logOf(run), 'txt');
}

const logOf = (run: AutomationRun): string =>
  [joined(runWords(run), run.created_at ?? undefined), run.error_detail].filter(Boolean).join('\n\n');
