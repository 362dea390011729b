import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { askPick } from '../../../editor/inputs';
import { sandboxName, sandboxRepository } from '../../../core/lists/names';
import { refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { sandboxStateWords } from '../../../core/lists/stateWords';
import { tellNone } from '../../targets/editor';

interface Question {
  title: string;
  fits?: (sandbox: Sandbox) => boolean;
  /** Shown when no sandbox fits. */
  none?: string;
  /** What else selecting this sandbox would do. */
  hint?: (sandbox: Sandbox) => string | undefined;
}

/**
 * The sandboxes selected in the tree or named by a notification, as a command gets them; undefined when it comes from
 * elsewhere, and if none of them exists anymore.
 */
export async function selectedSandboxes(
  model: ServiceModel,
  args: readonly unknown[],
): Promise<Sandbox[] | undefined> {
  const selected = Array.isArray(args[1]) && args[1].length > 0 ? (args[1] as unknown[]) : args.slice(0, 1);
  const ids = selected.flatMap((argument) => {
    const ref = refOf(argument);
    if (ref?.kind === 'sandbox') return [ref.id];
    return ref?.kind === 'url' ? [ref.sandboxId] : [];
  });
  const found = await model.sandboxesNow(ids);
  return found.length > 0 ? found : undefined;
}

/**
 * The sandboxes a command applies to: those selected in the tree, or, from the palette, one of those that fit. Empty when
 * none fits or the user cancels.
 */
export async function chooseSandboxes(
  model: ServiceModel,
  args: readonly unknown[],
  question: Question,
): Promise<Sandbox[]> {
  const { fits = () => true } = question;
  return (await selectedSandboxes(model, args))?.filter(fits) ?? chooseSandbox(model, question);
}

const detailOf = (detail: string | undefined) => (detail === undefined ? {} : { detail });

/** Asks for one of the sandboxes that fit; empty when none fits or the user cancels. */
export async function chooseSandbox(
  model: ServiceModel,
  { title, fits = () => true, none = l10n.t('No sandboxes.'), hint }: Question,
): Promise<Sandbox[]> {
  await model.refresh('sandboxes', 'conversations');
  const conversations = model.conversations.state.items;
  const items = model.sandboxes.state.items.filter(fits).map((sandbox) => ({
    sandbox,
    label: sandboxName(sandbox, conversations),
    description: joined(sandboxStateWords(sandbox), sandboxRepository(sandbox, conversations)),
    ...detailOf(hint?.(sandbox)),
  }));
  if (items.length === 0) {
    await tellNone(model, 'sandboxes', none);
    return [];
  }
  const picked = await askPick({ title, placeholder: l10n.t('Select a sandbox'), items });
  return typeof picked === 'object' ? [picked.sandbox] : [];
}
