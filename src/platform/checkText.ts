import * as l10n from '@vscode/l10n';
import type { ConnectionCheck } from '../api/connectionCheck';
import { describeError, type ErrorText } from './errorText';

/** What is wrong with a connection, in words; undefined when the service accepted the key. */
export function describeCheck(check: ConnectionCheck): ErrorText | undefined {
  switch (check.kind) {
    case 'ok':
    case 'neverSaved':
      return undefined;
    case 'newerGeneration':
      return {
        message: l10n.t(
          'The service at this address is of a newer generation, whose settings this version cannot read.',
        ),
        nextStep: l10n.t('Nothing was changed there. Look for an update of this extension.'),
      };
    case 'refused':
    case 'failed':
      return describeError(check.error);
  }
}
