import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { askPick } from '../../platform/inputs';
import { showError, withProgress } from '../../platform/progress';
import { plainText } from '../../shared/plainText';
import { refOf } from '../../state/ref';
import { clientOf } from '../../state/session';
import type { CommandDependencies, Handler } from '../dependencies';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'reveal'>;

interface Item extends vscode.QuickPickItem {
  /** Undefined: the service's default. */
  specId: string | undefined;
}

/** Start Sandbox…: from the spec of the row, or from one that the user picks. */
export function start(needs: Needs): Handler {
  return async (argument) => {
    const client = clientOf(needs.session.current);
    if (!client) return;
    const ref = refOf(argument);
    const specId = ref?.kind === 'spec' ? { specId: ref.id } : await chooseSpec(needs);
    if (!specId) return;
    try {
      const sandbox = await withProgress(l10n.t('Starting a sandbox'), async (report, signal) => {
        report(l10n.t('The service prepares it; this can take two minutes. It also appears in the view.'));
        const started = needs.model.pending.during(client.startSandbox(specId.specId, signal));
        return started;
      });
      await needs.model.refresh('sandboxes');
      await needs.reveal({ kind: 'sandbox', id: sandbox.id });
    } catch (error) {
      void needs.model.refresh('sandboxes');
      await showError(l10n.t('The sandbox could not be started.'), error);
    }
  };
}

async function chooseSpec({ model }: Needs): Promise<Item | undefined> {
  const byDefault: Item = {
    specId: undefined,
    label: l10n.t('Default'),
    description: l10n.t('the service chooses the spec'),
  };
  const items = () => [
    ...model.specs.state.items.map((spec): Item => ({
      specId: spec.id,
      label: plainText(spec.id, 120),
      description: plainText(spec.working_dir ?? '', 80),
    })),
    byDefault,
  ];
  const picked = await askPick<Item>({
    title: l10n.t('Start a sandbox'),
    placeholder: l10n.t('Choose the sandbox spec'),
    items: items(),
    update: async (show) => {
      await model.refresh('specs');
      show(items());
    },
  });
  return typeof picked === 'object' ? picked : undefined;
}
