import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import { gitProgram, tellGitElsewhere } from '../../../platform/git';
import { LocalGit } from './localGit';
import { unlessCanceled } from '../../../platform/progress';
import type { Delivery } from '../../../state/changes/deliveries';
import { type ConversationChoice, requestOf } from '../../../state/conversations/choice';
import type { RepositoryProposal } from '../../../state/conversations/gitRemote';
import { messageLabel } from '../../../state/conversations/selectionMessage';
import type { CommandDependencies } from '../../dependencies';
import { tellFailed } from '../tellFailed';
import { chooseOutgoing } from './chooseOutgoing';
import { finishDelivery, type FinishNeeds, unsentWords } from './finishDelivery';
import { startWithProgress, tellFailedStart } from './startOutcome';

export type DeliveryNeeds = FinishNeeds & Pick<CommandDependencies, 'model' | 'message' | 'starts'>;

interface Chosen {
  choice: ConversationChoice;
  proposal: RepositoryProposal;
  /** Called when the service has accepted the start. */
  accepted: () => void;
}

/** Starts a conversation without a message, brings the user’s changes into its sandbox, and only then sends the message. */
export async function sendWithChanges(
  needs: DeliveryNeeds,
  client: ApiClient,
  chosen: Chosen,
): Promise<void> {
  const { message, starts } = needs;
  const packed = await pack(chosen.proposal, message.context.selected);
  if (!packed) return;
  const { content, parcel } = packed;
  await needs.patches.write(parcel.id, content);
  const text = message.text;
  const label = chosen.choice.title ?? messageLabel(text, message.selections);
  let delivery: Delivery | undefined;
  try {
    const accepted = () => {
      needs.deliveries.accepted(parcel.id);
      chosen.accepted();
    };
    const { place } = chosen.choice;
    const request = requestOf('', chosen.choice);
    const options = { client, request, place, label, message: text, accepted };
    const conversationId = await startWithProgress(needs, options, (start) => {
      const about = {
        service: client.baseUrl,
        startId: start.id,
        isAccepted: false,
        conversationId: null,
        label,
        message: text,
      };
      needs.deliveries.keep((delivery = { ...parcel, ...about }));
      // Also if nobody waits for it anymore.
      start.ended.then(
        (id) => needs.deliveries.started(parcel.id, id),
        () => undefined,
      );
    });
    if (delivery) await finishDelivery(needs, { ...delivery, conversationId });
  } catch (error) {
    // A start that's still running can be continued later; a failed one can be tried again from its row.
    const start = delivery && starts.get(delivery.startId);
    if (!start) needs.deliveries.remove(parcel.id);
    if (!start || start.failure !== undefined) await needs.patches.remove(parcel.id);
    await tellFailedStart(error, delivery ? unsentWords(delivery) : '');
  }
}

/** Lists, selects, and packs what isn’t at the remote; undefined if the user left, or knows why it isn’t possible. */
async function pack(
  { root, remote, repository, branch, pushed }: RepositoryProposal,
  former: readonly string[] | undefined,
) {
  const program = await gitProgram();
  const folder = vscode.Uri.parse(root);
  if (program === undefined || folder.scheme !== 'file') {
    if (tellGitElsewhere()) return undefined;
    void vscode.window.showWarningMessage(
      l10n.t('Git isn’t available for this folder, so its changes can’t be sent.'),
    );
    return undefined;
  }
  const git = new LocalGit(program, folder.fsPath);
  try {
    const upstream = pushed && branch !== undefined ? `${remote}/${branch}` : undefined;
    const outgoing = await unlessCanceled(l10n.t('Looking for your changes…'), (_report, signal) =>
      git.outgoing(remote, upstream, signal),
    );
    if (!outgoing) return undefined;
    const files = await chooseOutgoing(outgoing, repository, former);
    if (!files) return undefined;
    const paths = files.map(({ path }) => path);
    const { base, branch: head } = outgoing;
    const patch = await unlessCanceled(l10n.t('Packing your changes…'), (_report, signal) =>
      git.patch(base, files, signal),
    );
    if (!patch) return undefined;
    const { content, tree } = patch;
    return { content, parcel: { id: randomUUID(), repository, base, branch: head, tree, root, paths } };
  } catch (error) {
    await tellFailed(
      l10n.t('Couldn’t read your changes. Nothing was sent, and your message is still here.'),
      error,
    );
    return undefined;
  }
}

/** The repository of the message was closed, or has no remote. */
export function tellNoRepository(): void {
  if (tellGitElsewhere()) return;
  void vscode.window.showWarningMessage(
    l10n.t('The repository isn’t open anymore, or has no remote. Your message is still here.'),
  );
}
