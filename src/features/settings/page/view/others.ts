import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { plainText } from '../../../../shared/plainText';
import type { Form } from '../model';
import type { Part } from '../../../../core/kit/buttons';
import type { Drawing } from './drawing';

/** Wire names of what is shown and not edited. */
export function otherNames({ model }: Form): string[] {
  return ['email', 'email_verified', 'secrets_store', ...model.other.map(({ name }) => name)];
}

/** What the service has and the form does not edit. */
export function otherValues({ form, found }: Drawing): Part {
  const { email, emailVerified, other } = form.model;
  const value = (name: string, text: string, help: string) =>
    found.item('other', name) ? valuePart(name, text, help) : nothing;
  return html`<dl class="others">
    ${value('email', email ?? l10n.t('None'), l10n.t('The email address of your account.'))}
    ${value(
      'email_verified',
      emailVerified === null ? l10n.t('Unknown') : emailVerified ? l10n.t('Yes') : l10n.t('No'),
      l10n.t('Whether the service has verified that address.'),
    )}
    ${value(
      'secrets_store',
      l10n.t('Kept by the service'),
      l10n.t('Git provider tokens and other secrets of your account. Saving doesn’t change them.'),
    )}
    ${other.map(({ name, text }) => value(name, text, l10n.t('Unknown to this extension and left unchanged.')))}
  </dl>`;
}

function valuePart(name: string, text: string, help: string): Part {
  return html`<div class="other">
    <dt><code>${plainText(name, 200)}</code></dt>
    <dd>
      <span class="other-text" data-field=${name}>${plainText(text, 1_000)}</span>
      <span class="help">${help}</span>
    </dd>
  </div>`;
}
