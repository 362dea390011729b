import * as l10n from '@vscode/l10n';
import type { Handler } from '../../../editor/handler';
import { askTexts } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { secretName } from '../../../shared/serviceNames';
import { serverOf } from '../../targets/editor';
import { chooseLive, type LiveNeeds } from './choose';
import { tell } from './steer';
import { workOn } from './work';

/** Give a Secret…: sets an environment variable for one conversation. The value is sent only to the agent server. */
export function giveSecret(needs: LiveNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Give a Secret');
    const live = serverOf(needs) && (await chooseLive(needs, argument, { title }));
    if (!live) return;
    const secret = await askTexts(title, {
      name: {
        prompt: l10n.t('Name for the secret. Agents get it as an environment variable'),
        placeholder: l10n.t('For example, NPM_TOKEN'),
        validate: (text) =>
          secretName.test(text)
            ? undefined
            : l10n.t('Use letters, digits, and underscores, and don’t start with a digit.'),
      },
      value: {
        password: true,
        lines: true,
        prompt: l10n.t(
          'Value of the secret, for this conversation only. It can’t be taken back from the agent.',
        ),
        // Servers take a mask for a missing secret, or for the secret itself.
        validate: (text) => (/^[\s*]*$/.test(text) ? l10n.t('Enter a value.') : undefined),
      },
    });
    if (!secret) return;
    const { model } = live;
    const { name, value } = secret;
    const outcome = await workOn(model, l10n.t('Giving the secret…'), () => model.giveSecret(name, value));
    tell(outcome, l10n.t('The agent can use {0} in its next command.', plainText(name, 120)));
  };
}
