import * as l10n from '@vscode/l10n';
import { html } from 'lit';
import { plainText } from '../../shared/plainText';
import type { Form } from '../model';
import type { Part } from './parts';

/** What the service has and the form does not edit. */
export function otherValues(form: Form): Part {
  const { email, emailVerified, other } = form.model;
  return html`<dl class="others">
    ${value('email', email ?? l10n.t('none'), l10n.t('E-mail address of your account.'))}
    ${value(
      'email_verified',
      emailVerified === null ? l10n.t('not known') : emailVerified ? l10n.t('yes') : l10n.t('no'),
      l10n.t('Whether the service has verified that address.'),
    )}
    ${value(
      'secrets_store',
      l10n.t('kept by the service'),
      l10n.t('Git provider tokens and other secrets of your account. Saving leaves them as they are.'),
    )}
    ${other.map(({ name, text }) => value(name, text, l10n.t('Not known to this extension; kept as it is.')))}
  </dl>`;
}

function value(name: string, text: string, help: string): Part {
  return html`<div class="other">
    <dt><code>${plainText(name, 200)}</code></dt>
    <dd>
      <span class="other-text" data-field=${name}>${plainText(text, 1_000)}</span>
      <span class="help">${help}</span>
    </dd>
  </div>`;
}
