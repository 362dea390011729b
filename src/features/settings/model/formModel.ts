import * as l10n from '@vscode/l10n';
import { exactDigits } from '../../../api/http/exactNumbers';
import { plainText } from '../../../shared/plainText';
import type { FormModel } from '../shared/form';
import { isJsonObject, type Json } from '../../../shared/json';
import { hiddenTargets } from './hidden';
import { member } from './json';
import type { Snapshot } from './merge';
import { readProviders } from './providers';
import { unknownFields } from './record';
import { toMcpServer } from './servers';

/** What the form shows of the settings; holds no secret. */
export function toModel(snapshot: Snapshot): FormModel {
  const { saved, record, values, secrets, servers } = snapshot;
  const email = member(record, 'email');
  const verified = member(record, 'email_verified');
  const providers = readProviders(record);
  const needsSecrets = snapshot.hidesSecrets && !snapshot.abilities.keepsHidden;
  return {
    saved,
    values,
    secrets: { ...secrets },
    email: typeof email === 'string' ? email : null,
    emailVerified: typeof verified === 'boolean' ? verified : null,
    mcpServers: servers.map(toMcpServer),
    providers: providers ?? [],
    testsServers: snapshot.abilities.testsServers,
    hasProviders: snapshot.abilities.hasProviders,
    providersTold: providers !== undefined,
    lacks: [...snapshot.abilities.lacks],
    hidesServerSecrets: needsSecrets,
    hiddenSecrets: needsSecrets ? hiddenTargets(servers) : [],
    other: unknownFields(record).map((name) => ({ name, text: otherWords(member(record, name) ?? null) })),
    more: snapshot.more,
  };
}

/** A text or anything that may hold one could be a secret. */
function otherWords(value: Json): string {
  const digits = exactDigits(value);
  if (digits !== undefined) return plainText(digits, 100);
  if (typeof value === 'string') return l10n.t('Text');
  if (Array.isArray(value)) return l10n.t('List');
  if (isJsonObject(value)) return l10n.t('Object');
  return JSON.stringify(value);
}
