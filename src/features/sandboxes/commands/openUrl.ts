import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { openAddress } from '../../../editor/openAddress';
import { plainText } from '../../../shared/plainText';
import { checkExposedUrl, exposedUrlName } from '../model/exposedUrl';
import { chooseSandboxes } from './chooseSandboxes';

/** Open Exposed URL…: https anywhere, http on this computer only, nothing else. */
export function openUrl({ model }: { model: ServiceModel }): Handler {
  return async (...args) => {
    const ref = refOf(args[0]);
    const [sandbox] = await chooseSandboxes(model, args, {
      title: l10n.t('Open Exposed URL'),
      fits: ({ exposed_urls }) => (exposed_urls ?? []).length > 0,
      none: l10n.t('No exposed URLs. Only running sandboxes have them.'),
    });
    const exposed = sandbox?.exposed_urls ?? [];
    const isOfRow = ref?.kind === 'url' && ref.sandboxId === sandbox?.id;
    // A row's URL is never replaced by another one.
    const chosen = isOfRow ? exposed.find(({ name }) => name === ref.name) : await choose(exposed);
    if (!chosen) return;
    const checked = checkExposedUrl(chosen.url);
    if (checked.ok) {
      await openAddress(checked.url);
    } else {
      void vscode.window.showErrorMessage(
        l10n.t('Can’t open {0}: {1}', exposedUrlName(chosen.name), checked.reason),
      );
    }
  };
}

async function choose(exposed: readonly { name: string; url: string }[]) {
  if (exposed.length <= 1) return exposed[0];
  const picked = await askPick({
    title: l10n.t('Open Exposed URL'),
    placeholder: l10n.t('Select a URL'),
    items: exposed.map((one) => {
      const checked = checkExposedUrl(one.url);
      return {
        one,
        label: exposedUrlName(one.name),
        // The query may contain a secret.
        description: plainText(checked.ok ? checked.url.host : checked.reason, 120),
      };
    }),
  });
  return typeof picked === 'object' ? picked.one : undefined;
}
