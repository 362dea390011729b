import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import { isMap, type Value } from './json';
import type { Place } from './types';

/** What a member that the service has no place for means, in words; none where leaving it out changes nothing. */
export function leftoverWords(name: string, value: Value): string[] {
  if (isNothing(name, value)) return [];
  const text = typeof value === 'string' || typeof value === 'number' ? plainText(String(value), 120) : '';
  switch (name) {
    case 'disabled':
    case 'enabled':
      return [l10n.t('“{0}”: it is switched off there, and would be on here', name)];
    case 'cwd':
    case 'workingDirectory':
      return [l10n.t('“{0}”: the working directory {1}', name, text)];
    case 'envFile':
      return [l10n.t('“envFile”: the variables in {0}', text)];
    case 'oauth':
    case 'auth':
      return [l10n.t('“{0}”: signing in by OAuth', name)];
    case 'autoApprove':
    case 'alwaysAllow':
      return [l10n.t('“{0}”: tools that run without being confirmed', name)];
    case 'disabledTools':
    case 'excludeTools':
      return [l10n.t('“{0}”: tools that are switched off', name)];
    case 'timeout':
      return [l10n.t('“timeout”: {0}; tools differ in its unit, so set it in the form', text)];
    default:
      return [l10n.t('“{0}”', plainText(name, 80))];
  }
}

function isNothing(name: string, value: Value): boolean {
  // A name was read already, and inputs stand for what is asked.
  if (name === 'name' || name === 'inputs') return true;
  if (name === 'enabled') return value !== false;
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  return value === null || value === false || value === '';
}

export function placeWords(place: Place): string {
  switch (place.at) {
    case 'url':
      return l10n.t('the address');
    case 'apiKey':
      return l10n.t('the API key');
    case 'command':
      return l10n.t('the command');
    case 'args':
      return l10n.t('argument {0}', place.index + 1);
    case 'env':
      return l10n.t('the variable “{0}”', plainText(place.name, 80));
  }
}
