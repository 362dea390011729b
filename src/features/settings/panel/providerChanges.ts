import * as l10n from '@vscode/l10n';
import {
  connectProvider,
  disconnectAll,
  disconnectProvider,
  type ProvidersAccess,
  type ProvidersOutcome,
} from '../model/providers';
import { agreesToEmpty, isAboutNoneSaved, otherTokensMayGo, providerMove, secretsMayGo } from './asking';
import type { FormHost } from './formHost';
import type { OpenForm } from './openForm';
import { providerLabel, unsavedWords } from './words';
import { nameList, sentences } from '../../../shared/joined';

/** Asks for a token and stores it immediately, with the host the form shows. */
export async function replaceToken(
  host: FormHost,
  open: OpenForm,
  name: string,
  providerHost: string | null,
): Promise<void> {
  const held = open.providers.find((provider) => provider.name === name);
  if (held && !(await hostMayChange(host, held, providerHost))) return;
  const { to } = providerMove({ name }, providerHost);
  const token = await host.ports.askSecret(
    l10n.t('Token for {0}', providerLabel(name)),
    l10n.t('For {0}. Sent to the service immediately. Not stored on this computer.', to),
  );
  if (token === undefined) return;
  await change(host, open, [name], (access) => connectProvider(access, { name, token, host: providerHost }));
}

/** Changes where a provider is reached; its token stays. */
export async function setHost(
  host: FormHost,
  open: OpenForm,
  name: string,
  providerHost: string | null,
): Promise<void> {
  const held = open.providers.find((provider) => provider.name === name) ?? { name };
  if (!(await hostMayChange(host, held, providerHost))) return;
  await change(host, open, [name], (access) =>
    connectProvider(access, { name, token: '', host: providerHost }),
  );
}

/** Asks before a token is used at another host than the service has for it. */
async function hostMayChange(
  { ports }: FormHost,
  held: { name: string; host?: string | null },
  to: string | null,
): Promise<boolean> {
  if (held.host !== undefined && (held.host ?? '') === (to ?? '')) return true;
  return secretsMayGo(ports, [providerMove(held, to)], l10n.t('Change Host'));
}

/** Deletes a token from the service, after asking. */
export async function clearProvider(host: FormHost, open: OpenForm, name: string): Promise<void> {
  const agreed = await host.ports.confirm(
    l10n.t('Clear the token for {0}?', providerLabel(name)),
    l10n.t('The token is deleted immediately, and agents lose access to your repositories there.'),
    l10n.t('Clear'),
  );
  if (agreed) await change(host, open, [name], (access) => disconnectProvider(access, name));
}

/** Deletes all tokens from the service, after asking. */
export async function clearAllProviders(host: FormHost, open: OpenForm): Promise<void> {
  if (open.providers.length === 0) return;
  const names = open.providers.map(({ name }) => name);
  const agreed = await host.ports.confirm(
    l10n.t('Disconnect all git providers?'),
    l10n.t(
      'These tokens are deleted immediately: {0}. Agents lose access to your repositories there.',
      nameList(names.map(providerLabel)),
    ),
    l10n.t('Disconnect All'),
  );
  const alternative = l10n.t('Clear the remaining tokens one by one.');
  if (agreed) await change(host, open, names, disconnectAll, alternative);
}

/**
 * Does `work` and tells the rows of `names` how it went; if only part of it was done, the first row says so.
 * @param alternative what the user can do instead in that case
 */
async function change(
  host: FormHost,
  open: OpenForm,
  names: readonly string[],
  work: Work,
  alternative?: string,
): Promise<void> {
  // The window may have switched connections while the question was open.
  const current = (): OpenForm | undefined => (host.open?.client === open.client ? host.open : undefined);
  const before = current();
  if (before === undefined) return;
  const otherwise = alternative === undefined ? [] : [alternative];
  const tell = (busy: boolean, words: readonly string[]) => {
    const now = current();
    if (now === undefined) return;
    const changes = names.map((name, index) => {
      return { name, busy, error: words.length > 0 && index === 0 ? sentences(...words) : null };
    });
    const others = now.providerChanges.filter(({ name }) => !names.includes(name));
    now.providerChanges = [...others, ...changes.filter(({ error }) => busy || error !== null)];
    host.show();
  };
  tell(true, []);
  const outcome = await asked(host, before, work);
  const now = current();
  if (now === undefined) return;
  switch (outcome.kind) {
    case 'done':
      now.providers = outcome.providers;
      tell(false, outcome.notes.length > 0 ? [...outcome.notes, ...otherwise] : []);
      return;
    case 'needsConfirmation':
      tell(false, []);
      return;
    case 'failed': {
      if (outcome.after) now.providers = outcome.after;
      const stored = l10n.t('The service didn’t answer, but the change was made.');
      tell(false, outcome.applied === 'yes' ? [stored] : [unsavedWords(outcome), ...otherwise]);
      if (outcome.applied !== 'no') await host.refresh();
    }
  }
}

type Work = (access: ProvidersAccess) => Promise<ProvidersOutcome>;

/** Does `work`, and repeats it with the user's consent if needed. `needsConfirmation` if the user doesn't agree. */
async function asked(host: FormHost, { client, providers }: OpenForm, work: Work): Promise<ProvidersOutcome> {
  const { ports } = host;
  let access: ProvidersAccess = { client, safeguards: ports.safeguards, known: providers };
  for (;;) {
    const outcome = await work(access);
    if (outcome.kind === 'done') return outcome;
    const isUnsaid = outcome.kind === 'needsConfirmation';
    if (!isUnsaid && !isAboutNoneSaved(outcome)) return outcome;
    const agreed = await (isUnsaid
      ? otherTokensMayGo(ports, outcome.kept)
      : agreesToEmpty(ports, client.baseUrl, 'save'));
    if (!agreed || host.open?.client !== client) return outcome;
    if (isUnsaid) access = { ...access, othersMayGo: true };
  }
}
