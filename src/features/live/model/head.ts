import type { AgentFeatures } from '../../../api/agent/features';
import type { Usage } from '../../../api/events/usage';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { About } from '../../../shared/about';
import { agentFolders, shortPath, type AgentFolders } from '../../../shared/agentFolders';
import { beginning } from '../../../shared/wellFormed';
import { plainText } from '../../../shared/plainText';
import { executionSchema, type Entry, type Execution, type Head } from '../../../shared/transcript';
import { hasPullRequestPage, pullRequestWords } from '../../../core/pullRequest';
import { conversationLabel, conversationTitle } from '../../../core/lists/names';
import { asksNobody, sendEffect, words } from '../../transcript';
import { latest, listedTokens, listedUsage } from '../../../core/lists/usage';

/** What a head shows as it’s known. */
type Shown = Pick<
  Head,
  | 'limit'
  | 'policy'
  | 'pending'
  | 'written'
  | 'proof'
  | 'outgoing'
  | 'masked'
  | 'areSecretsUnread'
  | 'hasOlder'
  | 'readAt'
  | 'problem'
>;

/** What a head is made of. */
export interface Known extends Shown {
  record: Conversation | null;
  /** The name that it was started under here, until the service has a title. */
  startedAs: string | undefined;
  execution: Execution;
  usage: Usage | null;
  features: AgentFeatures | null;
  workingDir: string | null;
  /** The step that ran when the agent was paused has ended. */
  isStepOver: boolean;
}

/** @param live the previous value, so that its time continues while the activity is the same */
export function headOf(known: Known, entries: readonly Entry[], live: Head['live'], now: number): Head {
  const { record, startedAs, usage, features, execution, isStepOver, workingDir, ...shown } = known;
  const folders = agentFolders(record?.selected_repository ?? '', workingDir);
  const text =
    execution === 'running'
      ? activity(entries, folders)
      : execution === 'paused' && !isStepOver
        ? words.ending()
        : undefined;
  const { revivesStuck = false, messageRejects = false } = features ?? {};
  // The service's record says so even if the agent server can't be reached.
  const policy = record?.agent_kind === 'acp' ? 'itself' : shown.policy;
  return {
    ...shown,
    title: record ? (conversationTitle(record) ?? startedAs ?? conversationLabel(record)) : '',
    about: aboutOf(record, workingDir),
    folders,
    policy,
    execution: shownExecution(known),
    // The same as in its row, from whichever source knows more.
    cost: latest(usage?.cost, record ? listedUsage(record).cost : undefined),
    tokens: latest(usage?.tokens, record ? listedTokens(record) : undefined),
    context: usage?.context ?? null,
    live: text === undefined ? null : live?.text === text ? live : { text, since: now },
    sendEffect: sendEffect(execution, shown.limit, {
      revivesStuck,
      messageRejects,
      isRunSafe: isStepOver || asksNobody(policy),
    }),
    canInterrupt: execution === 'running' && (features?.interrupts ?? false),
  };
}

function aboutOf(record: Conversation | null, workingDir: string | null): About {
  const { selected_repository, selected_branch, llm_model, sandbox_id } = record ?? {};
  return {
    repository: plainText(selected_repository ?? '', 120),
    branch: plainText(selected_branch ?? '', 120),
    pullRequests: (record && pullRequestWords(record)) ?? '',
    hasPullRequestPage: record !== null && hasPullRequestPage(record),
    model: plainText(llm_model ?? '', 120),
    hasSandbox: Boolean(sandbox_id),
    folder: sandbox_id ? '' : plainText(workingDir ?? '', 200),
  };
}

/**
 * If the agent server doesn't say, for example because it can’t be reached, the service’s record may. It goes on calling
 * an agent running whose sandbox was paused or is gone.
 */
function shownExecution({ execution, record, limit }: Known): Execution {
  const said = executionSchema.safeParse(record?.execution_status).data ?? 'unknown';
  const isStopped = said === 'running' && (limit === 'asleep' || limit === 'gone');
  return execution === 'unknown' && !isStopped ? said : execution;
}

/** What the agent does right now, in a line. */
function activity(entries: readonly Entry[], folders: AgentFolders): string {
  const last = entries.findLast((entry) => entry.kind === 'step');
  if (last?.state !== 'running') return words.working();
  const { detail } = last;
  if (detail.step === 'terminal') return words.running(firstLine(detail.command));
  if (detail.step === 'edit') return words.editing(shortPath(detail.path, folders));
  return 'tool' in detail ? words.running(detail.tool) : words.working();
}

const firstLine = (text: string) => beginning(text.split('\n', 1)[0] ?? '', 200);
