import * as l10n from '@vscode/l10n';
import { checkConnection } from '../../api/connectionCheck';
import { describeCheck } from '../../platform/checkText';
import { askText, type Answer } from '../../platform/inputs';
import type { Connection } from '../../shared/connection';
import type { CommandDependencies } from '../dependencies';
import { sentences } from '../../shared/joined';

interface Options {
  title: string;
  step?: number;
  totalSteps?: number;
  /** The service was seen to accept a made-up key. */
  anyKeyDoes?: boolean;
}

/**
 * Asks for the session key of a connection and tries it. A refusal can have other causes than the key, so a second
 * Enter takes the same key all the same.
 */
export async function askSessionKey(
  { createClient, keys }: Pick<CommandDependencies, 'createClient' | 'keys'>,
  connection: Connection,
  { anyKeyDoes, ...step }: Options,
): Promise<Answer<string>> {
  const stored = await keys.get(connection.origin);
  let refused: string | undefined;
  const answer = await askText({
    ...step,
    password: true,
    prompt: anyKeyDoes
      ? l10n.t('This service accepts any session key: enter any text.')
      : l10n.t(
          'Session key of {0}. It is kept in the editor’s secret storage and sent to {1} only.',
          connection.name,
          connection.origin,
        ),
    placeholder:
      stored === undefined
        ? l10n.t('The key that the service was started with')
        : l10n.t('Leave empty to use the key that is stored'),
    validate: (text) => {
      if (text === '' && stored === undefined) return l10n.t('Enter the session key.');
      // A header cannot carry other characters.
      return /^[\x20-\x7e]*$/.test(text) ? undefined : l10n.t('A session key has only ASCII characters.');
    },
    accept: async (text, signal) => {
      const key = text.trim() || (stored ?? '');
      if (key === refused) return undefined;
      const check = await checkConnection(createClient(connection, key), signal);
      const problem = describeCheck(check);
      if (check.kind !== 'refused') return problem && sentences(problem.message, problem.nextStep);
      refused = key;
      return l10n.t('{0} Enter another key, or press Enter again to keep this one.', problem?.message ?? '');
    },
  });
  return typeof answer === 'string' ? answer.trim() || stored : answer;
}
