import * as l10n from '@vscode/l10n';
import { connectProvider, disconnectProvider, type ProvidersOutcome } from '../state/settings/providers';
import type { FormHost, OpenForm } from './formHost';
import { errorWords, providerLabel } from './words';

/** Asks for a token and stores it at once, with the host that the form shows. */
export async function replaceToken(host: FormHost, name: string, providerHost: string | null): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const token = await host.ports.askSecret(
    l10n.t('Token for {0}', providerLabel(name)),
    l10n.t('Sent to the service at once, which keeps it for your agents. It is not stored on this computer.'),
  );
  if (token === undefined) return;
  await change(host, open, name, () => connectProvider(open.client, { name, token, host: providerHost }));
}

/** Changes where a provider is reached; its token stays. */
export async function setHost(host: FormHost, name: string, providerHost: string | null): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  await change(host, open, name, () => connectProvider(open.client, { name, token: '', host: providerHost }));
}

/** Makes the service forget a token, after asking. */
export async function clearProvider(host: FormHost, name: string): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const agreed = await host.ports.confirm(
    l10n.t('Clear the token for {0}?', providerLabel(name)),
    l10n.t('The service forgets it at once, and agents can no longer reach your repositories there.'),
    l10n.t('Clear'),
  );
  if (agreed) await change(host, open, name, () => disconnectProvider(open.client, name));
}

async function change(
  host: FormHost,
  open: OpenForm,
  name: string,
  work: () => Promise<ProvidersOutcome>,
): Promise<void> {
  const present = (): OpenForm | undefined => (host.open?.client === open.client ? host.open : undefined);
  // A question may stand open while the window connects to something else.
  if (present() === undefined) return;
  const tell = (busy: boolean, error: string | null) =>
    host.ports.post({ type: 'provider', name, busy, error });
  tell(true, null);
  const outcome = await work();
  const now = present();
  if (now === undefined) return;
  if (outcome.kind === 'done') {
    now.providers = outcome.providers;
    host.ports.post({ type: 'providers', providers: outcome.providers });
    tell(false, outcome.notes.length === 0 ? null : outcome.notes.join(' '));
    return;
  }
  const stored = l10n.t('The service’s answer was lost on the way, but it has made the change.');
  tell(false, outcome.applied === 'yes' ? stored : errorWords(outcome.error));
  if (outcome.applied !== 'no') await host.refresh();
}
