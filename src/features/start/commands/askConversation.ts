import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { unlessAborted } from '../../../api/http/signals';
import type { ApiClient } from '../../../api/service/client';
import { askPick, askText, back, type Answer } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import type { SettablePolicy } from '../../../shared/transcript';
import { plainText } from '../../../shared/plainText';
import type { ConversationChoice } from '../model/choice';
import { DefaultModel, modelWords } from '../model/defaultModel';
import type { ToldLimit } from '../model/toldLimits';
import { unpushedProposal, type RepositoryProposal } from '../../../core/gitRemote';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { policies } from '../../live/editor';
import { askPart } from './askPart';
import { askModel } from './askModel';
import { pauseHint, runningNow } from '../../sandboxes';
import {
  type AttemptsDraft,
  type AttemptDifference,
  askAttempts,
  attemptsWords,
  differIn,
  stay,
} from './askAttempts';
import { askPlace, limitHint, pausedFor, placeHint, placeWords } from './askPlace';
import { askOutgoing, chosenFilesWords } from './chooseOutgoing';
import type { OwnChanges } from './ownChanges';
import { askBranch, askProvider, askRepository, providerWords } from './askRepository';
import { decideBranch } from './unpushedBranch';
import { same } from '../../../shared/same';

export interface ConversationQuestion {
  client: ApiClient;
  model: ServiceModel;
  proposals: readonly RepositoryProposal[];
  /** What to offer first. */
  choice: ConversationChoice;
  /** The user’s own changes, which settle repository and branch. */
  changes?: OwnChanges | undefined;
  /** Asks for several attempts, and puts them there. */
  attempts?: AttemptsDraft | undefined;
  /** The choice, with what was last selected for its repository. */
  remembered?: (choice: ConversationChoice) => ConversationChoice;
  /** What the service said about its limit. */
  told?: ToldLimit | undefined;
  /** Opens the service’s settings where its model is set up. */
  setUpModel: () => Promise<void>;
}

interface Item extends vscode.QuickPickItem {
  /** Asks for one part of the choice; absent on the item that starts. */
  ask?: () => Promise<Answer<unknown>>;
  /** On the item that starts: ids of the sandboxes that were on screen as those the service may pause. */
  atRisk?: readonly string[];
}

/**
 * Shows the options of a new conversation with their current values. The first item starts; each other item asks for a
 * new value and comes back here. Undefined if the user left.
 */
export async function askConversation({
  client,
  model,
  proposals,
  choice: first,
  changes,
  attempts,
  remembered = (about) => about,
  setUpModel,
  told,
}: ConversationQuestion): Promise<ConversationChoice | undefined> {
  const choice = { ...first };
  const offered = { ...first };
  const defaultModel = new DefaultModel(client);
  let reading: Promise<unknown> = Promise.resolve();
  const several = () => askAttempts(attempts ?? { variants: [] }, () => differences(client, choice));
  if (attempts && typeof (await several()) !== 'object') return undefined;
  /** Attempts never share a sandbox. */
  const place = () => (attempts ? ({ kind: 'new' } as const) : choice.place);
  const atRisk = () => pausedFor(place(), model, attempts?.variants.length);
  const items = (): Item[] => {
    const ask = {
      repository: async () => {
        const { repository } = choice;
        const answer = await askRepository(choice, proposals, client);
        if (choice.repository === repository || !isUntouched(choice, offered)) return answer;
        const { branch, provider, title } = choice;
        const now = { repository: choice.repository, branch, provider, place: { kind: 'default' } } as const;
        Object.assign(choice, { model: undefined, policy: undefined }, remembered(now), { title });
        Object.assign(offered, choice);
        return answer;
      },
      branch: () => askBranch(choice, proposals, client),
      provider: () => askProvider(choice),
      place: () => askPlace(choice, model),
      model: async () => {
        if (choice.model !== undefined || !defaultModel.isMissing)
          return askModel(choice, client, defaultModel);
        // The message stays in its editor.
        await setUpModel();
        return undefined;
      },
      policy: () => askPolicy(choice),
      title: () => askTitle(choice),
      attempts: several,
      none: stay,
    };
    const option = (
      label: string,
      description: string,
      icon: string,
      part: keyof typeof ask,
      detail?: string,
    ): Item => ({
      label,
      description,
      ...(detail !== undefined && detail !== '' && { detail }),
      iconPath: new vscode.ThemeIcon(icon),
      ask: ask[part],
    });
    return [
      {
        label: attempts
          ? l10n.t('Start {0} Attempts', attempts.variants.length)
          : l10n.t('Start Conversation'),
        description: l10n.t('with these options'),
        iconPath: new vscode.ThemeIcon('play'),
        atRisk: atRisk(),
      },
      ...(attempts
        ? [
            option(
              l10n.t('Attempts'),
              attemptsWords(attempts),
              'layers',
              'attempts',
              attemptsDetail(attempts, defaultModel),
            ),
          ]
        : []),
      ...(changes ? ownChanges(changes) : []),
      ...(changes ? [] : [option(l10n.t('Repository'), repositoryWords(choice), 'repo', 'repository')]),
      ...(choice.repository === undefined || changes
        ? []
        : [
            option(l10n.t('Branch'), branchWords(choice, proposals), 'git-branch', 'branch'),
            option(l10n.t('Git provider'), providerWords(choice.provider), 'cloud', 'provider'),
          ]),
      attempts
        ? option(
            l10n.t('Sandbox'),
            l10n.t('New, one for each attempt'),
            'vm',
            'none',
            limitHint(model, told, pauseHint(runningNow(model), attempts.variants.length)),
          )
        : option(
            l10n.t('Sandbox'),
            placeWords(choice.place, model),
            'vm',
            'place',
            limitHint(model, told, placeHint(choice.place, model)),
          ),
      ...(differIn(attempts, 'model')
        ? []
        : [
            option(
              l10n.t('Model'),
              modelWords(choice.model, defaultModel),
              'sparkle',
              'model',
              defaultModel.keyWarning(choice.model),
            ),
          ]),
      option(
        l10n.t('Confirmation policy'),
        policyWords(choice),
        'shield',
        'policy',
        choice.policy && l10n.t('Your message is sent once the conversation has this policy.'),
      ),
      option(
        l10n.t('Title'),
        plainText(choice.title ?? '', 120) || l10n.t('Generated by the service'),
        'tag',
        'title',
      ),
    ];
  };
  let placeholder = l10n.t('Press Enter to start, or select an option to change it');
  for (;;) {
    const picked = await askPick<Item>({
      title: l10n.t('Start an agent conversation'),
      placeholder,
      items: items(),
      update: async (show) => {
        // Which sandbox the service may pause depends on what is running now.
        reading = model.refresh('sandboxes', 'conversations').then(() => show(items()));
        await Promise.all([reading, defaultModel.read()]);
        show(items());
      },
    });
    if (typeof picked !== 'object') return undefined;
    if (picked.ask) {
      if ((await picked.ask()) === undefined) return undefined;
      continue;
    }
    if (!(await isRead(reading))) return undefined;
    // Never pause a sandbox that the user wasn't shown.
    if (atRisk().some((id) => !picked.atRisk?.includes(id))) {
      placeholder = l10n.t('Check what the service may pause, then press Enter to start');
      continue;
    }
    if (changes) return choice;
    const decision = await decideBranch(choice, proposals);
    if (decision !== 'back') return decision === 'start' ? choice : undefined;
  }
}

function attemptsDetail({ variants }: AttemptsDraft, defaultModel: DefaultModel): string {
  const [warning] = variants.flatMap(({ model }) => defaultModel.keyWarning(model) ?? []);
  return [warning, defaultModel.costOf(variants.length)].filter((one) => one !== undefined).join(' ');
}

/** What attempts can differ in: the models that the service lists, or none on services that don’t. */
async function differences(client: ApiClient, { model }: ConversationChoice): Promise<AttemptDifference[]> {
  const listed = await client.listModels().catch(() => []);
  const models = [...new Set([...(model === undefined ? [] : [model]), ...listed])];
  return [
    {
      kind: 'model',
      label: l10n.t('Model'),
      detail: l10n.t('Compare what different models do with the task'),
      placeholder: l10n.t('Select the models'),
      items: models.map((model) => {
        const label = plainText(model, 120);
        return { label, variant: { label, model } };
      }),
    },
  ];
}

/** What is sent along, and its origin. These depend on what is open here, so only the files can be changed. */
function ownChanges(changes: OwnChanges): Item[] {
  const { repository } = changes.proposal;
  const { base, branch } = changes.outgoing;
  return [
    {
      label: l10n.t('My changes'),
      ...chosenFilesWords(changes),
      iconPath: new vscode.ThemeIcon('diff'),
      ask: () => askOutgoing(changes),
    },
    {
      label: l10n.t('Repository'),
      description: plainText(repository, 120),
      iconPath: new vscode.ThemeIcon('repo'),
      ask: stay,
    },
    {
      label: l10n.t('Branch'),
      description: l10n.t(
        '{0}, based on commit {1}',
        branch === null ? l10n.t('No branch') : plainText(branch, 80),
        base.slice(0, 8),
      ),
      iconPath: new vscode.ThemeIcon('git-branch'),
      ask: stay,
    },
  ];
}

/** Waits for a reading of the lists; false if the user doesn't want to. */
async function isRead(reading: Promise<unknown>): Promise<boolean> {
  const ended = await unlessCanceled(l10n.t('Reading sandboxes…'), (_report, signal) =>
    unlessAborted(Promise.allSettled([reading]), signal),
  );
  return ended !== undefined;
}

function repositoryWords({ repository }: ConversationChoice): string {
  return repository === undefined ? l10n.t('None') : plainText(repository, 120);
}

function branchWords(choice: ConversationChoice, proposals: readonly RepositoryProposal[]): string {
  if (choice.branch === undefined) return l10n.t('Default branch');
  const branch = plainText(choice.branch, 80);
  return unpushedProposal(choice, proposals) ? l10n.t('{0} – not on the remote yet', branch) : branch;
}

/** Whether the user has left what is remembered for a repository as it was offered. */
const isUntouched = (choice: ConversationChoice, offered: ConversationChoice): boolean =>
  (['model', 'place', 'policy'] as const).every((part) => same(choice[part], offered[part]));

const policyWords = ({ policy }: ConversationChoice) =>
  policy === undefined ? l10n.t('Service’s setting') : policies[policy]();

function askPolicy(choice: ConversationChoice): Promise<Answer<unknown>> {
  return askPart(choice, 'policy', {
    title: l10n.t('Start an agent conversation'),
    placeholder: l10n.t('Select when the agent asks before it acts, in this conversation'),
    items: [undefined, ...(Object.keys(policies) as SettablePolicy[])].map((policy) => ({
      label: policyWords({ ...choice, policy }),
      policy,
    })),
  });
}

async function askTitle(choice: ConversationChoice): Promise<Answer<string>> {
  const answer = await askText({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    prompt: l10n.t('Enter a title, or leave it empty to let the service generate one'),
    placeholder: l10n.t('For example, Fix the login test'),
    value: choice.title ?? '',
  });
  if (answer !== undefined && answer !== back) choice.title = answer.trim() || undefined;
  return answer;
}
