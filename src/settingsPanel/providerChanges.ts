import * as l10n from '@vscode/l10n';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
  type ProvidersOutcome,
} from '../state/settings/providers';
import type { FormHost, OpenForm } from './formHost';
import { errorWords, providerLabel } from './words';
import { nameList, sentences } from '../shared/joined';

/** Asks for a token and stores it at once, with the host that the form shows. */
export async function replaceToken(host: FormHost, name: string, providerHost: string | null): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const token = await host.ports.askSecret(
    l10n.t('Token for {0}', providerLabel(name)),
    l10n.t('Sent to the service at once, which keeps it for your agents. It is not stored on this computer.'),
  );
  if (token === undefined) return;
  await change(host, open, [name], () => connectProvider(open.client, { name, token, host: providerHost }));
}

/** Changes where a provider is reached; its token stays. */
export async function setHost(host: FormHost, name: string, providerHost: string | null): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  await change(host, open, [name], () =>
    connectProvider(open.client, { name, token: '', host: providerHost }),
  );
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
  if (agreed) await change(host, open, [name], () => disconnectProvider(open.client, name));
}

/** Makes the service forget all tokens, after asking. */
export async function clearAllProviders(host: FormHost): Promise<void> {
  const { open } = host;
  if (open === undefined || open.providers.length === 0) return;
  const names = open.providers.map(({ name }) => name);
  const agreed = await host.ports.confirm(
    l10n.t('Disconnect all git providers?'),
    l10n.t(
      'The service forgets these tokens at once: {0}. Agents can then no longer reach your repositories there.',
      nameList(names.map(providerLabel)),
    ),
    l10n.t('Disconnect All'),
  );
  if (agreed) await change(host, open, names, () => disconnectAll(open.client), allAlternative());
}

const allAlternative = () =>
  l10n.t('Clear the tokens that are left one by one, with the button in each row.');

/**
 * Does `work` and tells the rows of `names` how it went; where not all of it was done, the first of them says so.
 * @param alternative what the user can do instead then
 */
async function change(
  host: FormHost,
  open: OpenForm,
  names: readonly string[],
  work: () => Promise<ProvidersOutcome>,
  alternative?: string,
): Promise<void> {
  const present = (): OpenForm | undefined => (host.open?.client === open.client ? host.open : undefined);
  // A question may stand open while the window connects to something else.
  if (present() === undefined) return;
  const otherwise = alternative === undefined ? [] : [alternative];
  const tell = (busy: boolean, words: readonly string[]) => {
    names.forEach((name, index) => {
      const error = words.length > 0 && index === 0 ? sentences(...words) : null;
      host.ports.post({ type: 'provider', name, busy, error });
    });
  };
  tell(true, []);
  const outcome = await work();
  const now = present();
  if (now === undefined) return;
  if (outcome.kind === 'done') {
    now.providers = outcome.providers;
    host.ports.post({ type: 'providers', providers: outcome.providers });
    tell(false, outcome.notes.length > 0 ? [...outcome.notes, ...otherwise] : []);
    return;
  }
  const stored = l10n.t('The service’s answer was lost on the way, but it has made the change.');
  tell(false, outcome.applied === 'yes' ? [stored] : [errorWords(outcome.error), ...otherwise]);
  if (outcome.applied !== 'no') await host.refresh();
}
