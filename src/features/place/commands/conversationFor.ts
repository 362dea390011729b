import * as l10n from '@vscode/l10n';
import { askPick } from '../../../editor/inputs';
import { Refusal } from '../../../core/basics/refusal';
import { refOf } from '../../../core/lists/ref';
import { choiceOf } from '../../targets/editor';
import { chooseLive, type Live, type LiveNeeds } from '../../live/editor';

/** The row’s conversation, or one in its sandbox or folder. Throws a Refusal if there’s none. */
export async function conversationFor(
  needs: LiveNeeds,
  argument: unknown,
  title: string,
): Promise<Live | undefined> {
  const ref = refOf(argument);
  if (ref?.kind !== 'sandbox' && ref?.kind !== 'workspace') return chooseLive(needs, argument, { title });
  const { model } = needs;
  if (!model.conversations.state.loaded) await model.refresh('conversations');
  const found = model.conversations.state.items.filter(({ sandbox_id: sandbox, folder }) =>
    ref.kind === 'workspace' ? folder === ref.path : sandbox === ref.id,
  );
  if (found.length === 0)
    throw new Refusal(
      ref.kind === 'sandbox'
        ? l10n.t('This sandbox has no conversation, so it has no folder to open. Start one first.')
        : l10n.t('No conversation works in this folder. Start one first.'),
    );
  const items = found.map(choiceOf);
  const picked =
    items.length === 1
      ? items[0]
      : await askPick({ title, placeholder: l10n.t('Select the conversation whose folder to open'), items });
  if (typeof picked !== 'object') return undefined;
  return chooseLive(needs, { ref: { kind: 'conversation', id: picked.conversation.id } }, { title });
}
