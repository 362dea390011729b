import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Sandbox } from '../../api/schemas/sandbox';
import { askPick } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { refOf } from '../../state/ref';
import type { ServiceModel } from '../../state/serviceModel';
import { sandboxStateWords } from '../../state/stateWords';

/**
 * The sandboxes that a command is about: those selected in the tree, or, from the palette, one that the user picks
 * among those that `fits`. Empty when there is none or the user left.
 */
export async function chooseSandboxes(
  model: ServiceModel,
  args: readonly unknown[],
  { title, fits, none }: { title: string; fits: (sandbox: Sandbox) => boolean; none: string },
): Promise<Sandbox[]> {
  const selected = Array.isArray(args[1]) && args[1].length > 0 ? (args[1] as unknown[]) : args.slice(0, 1);
  const ids = selected.flatMap((argument) => {
    const ref = refOf(argument);
    if (ref?.kind === 'sandbox') return [ref.id];
    return ref?.kind === 'url' ? [ref.sandboxId] : [];
  });
  if (ids.length > 0) return ids.flatMap((id) => model.sandboxes.get(id) ?? []).filter(fits);
  await model.refresh('sandboxes');
  const items = model.sandboxes.state.items.filter(fits).map((sandbox) => ({
    sandbox,
    label: plainText(sandbox.id, 60),
    description: [sandboxStateWords(sandbox), plainText(sandbox.sandbox_spec_id ?? '', 80)]
      .filter(Boolean)
      .join(' · '),
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(none);
    return [];
  }
  const picked = await askPick({ title, placeholder: l10n.t('Choose a sandbox'), items });
  return typeof picked === 'object' ? [picked.sandbox] : [];
}
