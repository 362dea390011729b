import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { parseUrl } from '../../shared/url';
import { whyNotOpened } from '../../state/exposedUrl';
import { refOf } from '../../state/ref';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseSandboxes } from './chooseSandboxes';

/** Open Exposed URL…: https anywhere, http on this computer only, nothing else. */
export function openUrl({ model }: Pick<CommandDependencies, 'model'>): Handler {
  return async (...args) => {
    const ref = refOf(args[0]);
    const [sandbox] = await chooseSandboxes(model, args, {
      title: l10n.t('Open an exposed URL'),
      fits: ({ exposed_urls }) => (exposed_urls ?? []).length > 0,
      none: l10n.t('No sandbox exposes a URL. Only running sandboxes do.'),
    });
    const exposed = sandbox?.exposed_urls ?? [];
    const named = ref?.kind === 'url' ? exposed.find(({ name }) => name === ref.name) : undefined;
    const chosen = named ?? (await choose(exposed));
    if (!chosen) return;
    const refusal = whyNotOpened(chosen.url);
    if (refusal === undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(chosen.url, true));
    } else {
      void vscode.window.showErrorMessage(
        l10n.t('The URL {0} was not opened: {1}', plainText(chosen.name, 80), refusal),
      );
    }
  };
}

async function choose(exposed: readonly { name: string; url: string }[]) {
  if (exposed.length <= 1) return exposed[0];
  const picked = await askPick({
    title: l10n.t('Open an exposed URL'),
    placeholder: l10n.t('Choose what to open'),
    items: exposed.map((one) => ({
      one,
      label: plainText(one.name, 80),
      // The query may carry a secret.
      description: plainText(parseUrl(one.url)?.host ?? '', 120),
    })),
  });
  return typeof picked === 'object' ? picked.one : undefined;
}
