import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ApiClient } from '../../api/client';
import type { Sandbox } from '../../api/schemas/sandbox';
import { openRemotes } from '../../platform/git';
import { askPick, askText, runFlow, skipped } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { parseRemote, type GitProvider } from '../../state/gitRemote';
import type { ServiceModel } from '../../state/serviceModel';
import { sandboxPhase } from '../../state/status';

/** What the user chose for a new conversation. */
export interface ConversationChoice {
  /** Empty: the conversation waits for its first message. */
  message: string;
  /** `owner/name`; undefined: none. */
  repository: string | undefined;
  branch: string | undefined;
  provider: GitProvider | undefined;
  /** Undefined: a new one. */
  sandbox: { sandbox: Sandbox; resume: boolean } | undefined;
  /** Undefined: the service's setting. */
  model: string | undefined;
}

interface RepositoryItem extends vscode.QuickPickItem {
  repository: string | undefined;
  branch: string | undefined;
  provider: GitProvider | undefined;
}
interface SandboxItem extends vscode.QuickPickItem {
  sandbox: ConversationChoice['sandbox'];
}
interface ModelItem extends vscode.QuickPickItem {
  model: string | undefined;
}

const repositoryName = /^[^\s/]+(\/[^\s/]+)+$/;

/** Asks for everything a conversation needs, step by step with a way back; undefined when the user left. */
export async function askConversation(
  client: ApiClient,
  model: ServiceModel,
  sandboxId: string | undefined,
): Promise<ConversationChoice | undefined> {
  const title = l10n.t('Start a conversation');
  const totalSteps = 5;
  const choice: ConversationChoice = {
    message: '',
    repository: undefined,
    branch: undefined,
    provider: undefined,
    sandbox: undefined,
    model: undefined,
  };
  const repositories = await repositoryItems();

  const askMessage = async () => {
    const answer = await askText({
      title,
      step: 1,
      totalSteps,
      prompt: l10n.t('What should the agent do? It may stay empty: the conversation then waits for you.'),
      placeholder: l10n.t('For example: find out why the login test fails, and mend it'),
      value: choice.message,
    });
    if (typeof answer === 'string') choice.message = answer.trim();
    return answer;
  };
  const askRepository = async () => {
    const answer = await askPick<RepositoryItem>({
      title,
      step: 2,
      totalSteps,
      placeholder: l10n.t('Choose the repository, or type owner/name'),
      items: repositories,
      fromText: (text) =>
        repositoryName.test(text)
          ? { label: text, repository: text, branch: undefined, provider: undefined }
          : undefined,
    });
    if (typeof answer === 'object') {
      choice.repository = answer.repository;
      choice.branch = answer.branch;
      choice.provider = answer.provider;
    }
    return answer;
  };
  const askBranch = async () => {
    if (choice.repository === undefined) return skipped;
    const answer = await askText({
      title,
      step: 3,
      totalSteps,
      prompt: l10n.t('Branch of {0}. Empty: its default branch.', choice.repository),
      placeholder: 'main',
      value: choice.branch ?? '',
      validate: (text) => (/\s/.test(text.trim()) ? l10n.t('A branch name has no spaces.') : undefined),
    });
    if (typeof answer === 'string') choice.branch = answer.trim() || undefined;
    return answer;
  };
  const askSandbox = async () => {
    const answer = await askPick<SandboxItem>({
      title,
      step: 4,
      totalSteps,
      placeholder: l10n.t('Choose where it runs'),
      items: sandboxItems(model, sandboxId),
      update: async (show) => {
        await model.refresh('sandboxes');
        show(sandboxItems(model, sandboxId));
      },
    });
    if (typeof answer === 'object') choice.sandbox = answer.sandbox;
    return answer;
  };
  const askModel = async () => {
    const byDefault: ModelItem = {
      label: l10n.t('As in the settings'),
      description: l10n.t('the model of the service’s settings'),
      model: undefined,
    };
    const answer = await askPick<ModelItem>({
      title,
      step: 5,
      totalSteps,
      placeholder: l10n.t('Choose the model, or type its name'),
      items: [byDefault],
      fromText: (text) => ({ label: text, model: text }),
      update: async (show, signal) => {
        // Not every service lists its models; then one types the name.
        const models = await client.listModels(signal).catch(() => []);
        show([byDefault, ...models.map((name) => ({ label: plainText(name, 120), model: name }))]);
      },
    });
    if (typeof answer === 'object') choice.model = answer.model;
    return answer;
  };

  const finished = await runFlow([askMessage, askRepository, askBranch, askSandbox, askModel]);
  return finished ? choice : undefined;
}

async function repositoryItems(): Promise<RepositoryItem[]> {
  const items: RepositoryItem[] = [];
  for (const { name, url, branch } of await openRemotes()) {
    const remote = parseRemote(url);
    if (!remote || items.some((item) => item.repository === remote.repository)) continue;
    items.push({
      label: remote.repository,
      description: [name, branch, remote.provider].filter(Boolean).join(' · '),
      ...remote,
      branch,
    });
  }
  const none = l10n.t('No repository');
  return [...items, { label: none, repository: undefined, branch: undefined, provider: undefined }];
}

function sandboxItems(model: ServiceModel, preferred: string | undefined): SandboxItem[] {
  const existing = model.sandboxes.state.items.flatMap((sandbox): SandboxItem[] => {
    const phase = sandboxPhase(sandbox);
    if (phase !== 'running' && phase !== 'paused') return [];
    const resume = phase === 'paused';
    return [
      {
        label: plainText(sandbox.id, 60),
        description: resume ? l10n.t('Paused: it is resumed first') : l10n.t('Running'),
        sandbox: { sandbox, resume },
      },
    ];
  });
  const fresh: SandboxItem = {
    label: l10n.t('New sandbox'),
    description: l10n.t('the service starts one'),
    sandbox: undefined,
  };
  const first = existing.filter((item) => item.sandbox?.sandbox.id === preferred);
  const others = existing.filter((item) => !first.includes(item));
  return [...first, fresh, ...others];
}
