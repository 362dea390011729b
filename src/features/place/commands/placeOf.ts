import * as l10n from '@vscode/l10n';
import { agreedTo } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { Refusal } from '../../../core/basics/refusal';
import type { SandboxPlace } from '../../sandboxChanges';
import { isThisComputer } from '../model/here';
import type { Live } from '../../live/editor';

/** The sandbox, which is resumed if the user wants that, and whether it is this computer. */
export async function placeOfConversation({
  model,
}: Live): Promise<(SandboxPlace & { isHere: boolean }) | undefined> {
  const found = await unlessCanceled(l10n.t('Connecting to the sandbox…'), async () => {
    try {
      return await model.changes.place();
    } catch (error) {
      if (error instanceof Refusal && model.head.limit === 'asleep') return 'asleep';
      throw error;
    }
  });
  const place = found === 'asleep' ? await resumed(model) : found;
  return place && { ...place, isHere: await isThisComputer(place) };
}

async function resumed(model: Live['model']): Promise<SandboxPlace | undefined> {
  const isWanted = await agreedTo(
    l10n.t('Resume this sandbox?'),
    l10n.t('It’s paused, and can’t be used until it runs.'),
    l10n.t('Resume'),
  );
  if (!isWanted) return undefined;
  return unlessCanceled(l10n.t('Connecting to the sandbox…'), (report) =>
    model.changes.place(() => report(l10n.t('Resuming the sandbox…'))),
  );
}
