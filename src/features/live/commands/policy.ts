import * as l10n from '@vscode/l10n';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import type { SettablePolicy } from '../../../shared/transcript';
import { words } from '../../transcript';
import { chooseLive, type LiveNeeds } from './choose';
import { policies } from './policies';
import { tell } from './steer';
import { workOn } from './work';

/** Change Confirmation Policy…: when the agent of a conversation asks before it acts. */
export function changePolicy(needs: LiveNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Change Confirmation Policy');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    const { model } = live;
    if (model.head.policy === 'itself') {
      tell({ kind: 'refused', problem: words.decidesItself() });
      return;
    }
    const picked = await askPick({
      title,
      placeholder: l10n.t('Select when the agent asks before it acts, in this conversation'),
      items: (Object.keys(policies) as SettablePolicy[]).map((policy) => ({
        policy,
        label: policies[policy](),
      })),
      isCurrent: ({ policy }) => policy === model.head.policy,
    });
    if (typeof picked !== 'object') return;
    const outcome = await workOn(model, l10n.t('Changing the confirmation policy…'), () =>
      model.setPolicy(picked.policy),
    );
    tell(outcome);
  };
}
