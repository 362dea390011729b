import * as l10n from '@vscode/l10n';
import type { Handler } from '../../../editor/handler';
import { askPick, askTexts, needsText } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { serverOf } from '../../targets/editor';
import type { ConversationModel } from '../model/model';
import { chooseLive, type LiveNeeds } from './choose';
import { tell } from './steer';
import { workOn } from './work';

/** What Agent Canvas’s own page uses. */
const usualRounds = 10;
const mostRounds = 100;

/** Set a Goal…: the agent works until a model judges that the goal is reached; also stops and resumes it. */
export function startGoal(needs: LiveNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Set a Goal');
    const live = serverOf(needs) && (await chooseLive(needs, argument, { title }));
    if (!live) return;
    const { model } = live;
    const goal = await workOn(model, l10n.t('Loading the conversation…'), () => Promise.resolve(model.goal));
    if (goal?.isActive !== true && goal?.state !== 'interrupted') return begin(model, title);
    const picked = await askPick({
      title,
      placeholder: plainText(goal.objective, 200),
      items: goal.isActive
        ? [
            {
              label: l10n.t('Stop the Goal'),
              description: l10n.t('{0} of {1} rounds judged', goal.round, goal.rounds),
              act: () => change(model, () => model.stopGoal()),
            },
          ]
        : [
            { label: l10n.t('Continue the Goal'), act: () => change(model, () => model.resumeGoal()) },
            { label: l10n.t('Set Another Goal…'), act: () => begin(model, title) },
          ],
    });
    if (typeof picked === 'object') await picked.act();
  };
}

async function begin(model: ConversationModel, title: string): Promise<void> {
  const goal = await askTexts(title, {
    objective: {
      prompt: l10n.t(
        'What the agent works toward. After each round, its model judges whether that’s reached.',
      ),
      placeholder: l10n.t('For example, All tests pass'),
      validate: needsText,
    },
    rounds: {
      prompt: l10n.t('Maximum rounds'),
      value: String(usualRounds),
      validate: (text) =>
        /^[0-9]{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= mostRounds
          ? undefined
          : l10n.t('Enter a whole number from 1 to {0}.', mostRounds),
    },
  });
  if (goal) await change(model, () => model.setGoal(goal.objective, Number(goal.rounds)));
}

async function change(model: ConversationModel, act: () => ReturnType<ConversationModel['stopGoal']>) {
  tell(await workOn(model, l10n.t('Changing the goal…'), act));
}
