import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { ApiError, isUnanswered } from '../../../api/http/errors';
import { Refusal } from '../../../core/basics/refusal';
import { conversationName } from '../../../core/lists/names';
import { clientOf } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { withQuietProgress } from '../../../editor/progress';
import { quotedNames } from '../../../shared/joined';
import {
  areElsewhere,
  chooseConversations,
  chooseHere,
  chosenElsewhere,
  readListsAgain,
  type RowNeeds,
  tellFailed,
} from '../../targets/editor';
import { sandboxActions, stoppedByPause } from '../model/actions';
import { confirmConsequences } from './confirmConsequences';

const actions = {
  pause: { words: sandboxActions.pause.words, request: 'pauseContainer', from: 'running' },
  resume: { words: sandboxActions.resume.words, request: 'resumeContainer', from: 'paused' },
} as const;

/**
 * Pause Sandbox and Resume Sandbox on an agent server, where conversations can have a container each. A service’s own
 * sandboxes are for `sandboxes`.
 */
export function changeContainers(needs: RowNeeds, which: keyof typeof actions, sandboxes: Handler): Handler {
  const { session, model, activeConversation } = needs;
  const { words, from } = actions[which];
  const fits = ({ container }: Conversation) => container === from;
  return async (...args) => {
    const isElsewhere = areElsewhere(needs, args);
    if (!isElsewhere && clientOf(session.current)?.sandboxes) return sandboxes(...args);
    for (const { client, chosen } of chosenElsewhere(needs, args))
      await change(needs, client, which, chosen.filter(fits));
    if (isElsewhere) return;
    const options = { title: words.title(), fits, none: words.none(), active: activeConversation() };
    const answer = await chooseHere(session, () => chooseConversations(model, args, options));
    if (answer) await change(needs, answer.client, which, answer.chosen.filter(fits));
  };
}

/** One after the other. One that fails doesn’t keep the others from being changed. */
async function change(
  needs: RowNeeds,
  { agents, baseUrl }: ApiClient,
  which: keyof typeof actions,
  conversations: readonly Conversation[],
): Promise<void> {
  const { words, request } = actions[which];
  const [first] = conversations;
  if (!agents || !first) return;
  const { selected } = sandboxActions.pause.words;
  if (which === 'pause' && selected) {
    const question = selected.question(conversations.length, conversationName(first));
    if (!(await confirmConsequences(stoppedByPause(conversations), question, selected.agree()))) return;
  }
  /** By why they failed. */
  const failed = new Map<string, { error: unknown; names: string[] }>();
  let last: unknown;
  await withQuietProgress(words.pending(), async () => {
    for (const conversation of conversations)
      try {
        // Without an answer, the others would wait in vain, too.
        if (isUnanswered(last)) throw last;
        await agents[request](conversation.id);
      } catch (error) {
        last = error;
        const why = error instanceof ApiError ? `${error.reason} ${error.status}` : '';
        const { names } = failed.get(why) ?? { names: [] };
        failed.set(why, { error, names: [...names, conversationName(conversation)] });
      }
    await readListsAgain(needs, baseUrl);
  });
  await Promise.all(
    [...failed.values()].map(({ error, names }) => {
      const hasNone = error instanceof ApiError && error.status === 405;
      const why = hasNone
        ? new Refusal(l10n.t('Only conversations that run in a container can be paused.'))
        : error;
      return tellFailed(words.failed(quotedNames(names)), why, true);
    }),
  );
}
