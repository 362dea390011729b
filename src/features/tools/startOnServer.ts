import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import type { AgentProfile } from '../../api/service/schemas/agentServer';
import { isLoopback } from '../../shared/url';
import { plainText } from '../../shared/plainText';
import { cannotStartOn, type AgentChoice } from '../start';
import { isSameFolder } from '../../core/sameFolder';
import { ToolError } from './errors';
import type { inputs } from './inputs';
import { connectionLine, type ToolContext, type Question } from './tool';

type Input = z.infer<typeof inputs.startConversation>;

/** Whether conversations are started on a standalone agent server, in a folder of its computer. */
export const isOnServer = ({ client }: Pick<ToolContext, 'client'>): boolean => client.agents !== undefined;

const folderOf = ({ folder }: Input, { openFolder }: ToolContext): string | undefined =>
  folder ?? openFolder();

/** What an agent server has nothing for. */
const foreign = ['repository', 'branch', 'gitProvider', 'sandboxId', 'model'] as const;

/** What the user is asked; undefined for an input that can’t be carried out. */
export function serverQuestion(input: Input, context: ToolContext): Question | undefined {
  const folder = folderOf(input, context);
  if (folder === undefined || problemOf(input, folder) !== undefined) return undefined;
  return {
    title: l10n.t('Start a conversation with an agent?'),
    lines: [
      ...(input.title === undefined ? [] : [l10n.t('Title: {0}', input.title)]),
      l10n.t(
        'Folder on the server: {0} – becomes a Git repository if it isn’t in one',
        plainText(folder, 1_000),
      ),
      l10n.t('Agent: the active one. The server’s settings decide when it asks before it acts'),
      connectionLine(context),
      l10n.t('Message to the agent:'),
    ],
    quoted: input.message,
  };
}

/** Where the agent of a start works, and which. Throws `ToolError`. */
export async function serverChoice(
  input: Input,
  context: ToolContext,
  signal: AbortSignal,
): Promise<AgentChoice> {
  const { client } = context;
  const { agents: server, baseUrl } = client;
  const folder = folderOf(input, context);
  const problem = folder === undefined ? noFolder : problemOf(input, folder);
  if (!server || folder === undefined || problem !== undefined) throw new ToolError(problem ?? noFolder);
  const about = await server.about(signal);
  const tooOld = cannotStartOn(about);
  if (tooOld !== undefined) throw new ToolError(`${tooOld} Nothing was started.`);
  // A folder that only has the same path is another one.
  const isNear = about.runtime !== 'docker' && isLoopback(new URL(baseUrl).hostname);
  if (input.folder === undefined && !(isNear && (await isSameFolder(server, folder))))
    throw new ToolError(noFolder);
  const { profiles, active_agent_profile_id: activeId } = await server.listAgentProfiles(signal);
  const active: AgentProfile | undefined = profiles.find(({ id }) => id === activeId) ?? profiles[0];
  if (!active)
    throw new ToolError('The agent server has no agent profile, so nothing was started. Tell the user.');
  return { folder, isWorktree: false, profile: { id: active.id, name: active.name } };
}

const noFolder =
  'This connection is an agent server, and the folder that is open here isn’t one of its computer, or there isn’t just one. Nothing was started. Ask the user for the folder on the server, and call again with folder.';

function problemOf(input: Input, folder: string): string | undefined {
  const given = foreign.filter((name) => input[name] !== undefined);
  if (given.length > 0)
    return `This connection is an agent server, which works in folders of its computer: it has no ${given.join(', ')}. Nothing was started. Call again without that.`;
  return path.posix.isAbsolute(folder) || path.win32.isAbsolute(folder)
    ? undefined
    : 'The folder must be an absolute path on the server’s computer. Nothing was started. Correct it, and call again.';
}
