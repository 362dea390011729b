import * as l10n from '@vscode/l10n';
import { plainText } from '../../../../shared/plainText';
import { isMap, NumberText, type Value } from './json';
import type { PlaceholderPlace } from './types';

/** Describes a member that the service doesn't support; empty if leaving it out changes nothing. */
export function leftoverWords(name: string, value: Value): string[] {
  if (isNothing(name, value)) return [];
  const written = value instanceof NumberText ? value.source : value;
  const text = typeof written === 'string' ? plainText(written, 120) : '';
  switch (name) {
    case 'cwd':
    case 'workingDirectory':
      return [l10n.t('“{0}” (working directory {1})', name, text)];
    case 'envFile':
      return [l10n.t('“envFile” (variables in {0})', text)];
    case 'oauth':
    case 'auth':
      return [l10n.t('“{0}” (OAuth sign-in)', name)];
    case 'autoApprove':
    case 'alwaysAllow':
      return [l10n.t('“{0}” (tools that run without confirmation)', name)];
    case 'disabledTools':
    case 'excludeTools':
      return [l10n.t('“{0}” (disabled tools)', name)];
    case 'timeout':
      return [l10n.t('“timeout” ({0}; units differ between tools, so set it in the form)', text)];
    default:
      return [l10n.t('“{0}”', plainText(name, 80))];
  }
}

function isNothing(name: string, value: Value): boolean {
  // Already handled elsewhere.
  if (name === 'name' || name === 'inputs') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  return value === null || value === false || value === '';
}

export function placeholderWords(place: PlaceholderPlace): string {
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
