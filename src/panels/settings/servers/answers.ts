import * as l10n from '@vscode/l10n';
import { back, runFlow, type Answer } from '../../../platform/flow';
import type { Step } from '../../../platform/inputs';
import { nameList, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { groupBy } from '../../../state/basics/groupBy';
import { placeWords } from '../../../state/mcp/import/leftovers';
import {
  fromEnvironment,
  type Answers,
  type ParsedServer,
  type Placeholder,
} from '../../../state/mcp/import/types';
import type { Choice, ServerPorts } from './ports';

type Given = string | typeof fromEnvironment | typeof unanswered;
/** Left empty: the file’s default applies, if it has one. */
const unanswered = Symbol('unanswered');
/** The user wants to type a value. */
const typing = Symbol('typing');

/** Each placeholder of the servers once; it’s secret if any of them treats it as secret. */
export function placeholdersOf(servers: readonly ParsedServer[]): Placeholder[] {
  const all = servers.flatMap(({ preview }) => preview.inputs);
  return [...groupBy(all, ({ key }) => key).values()].map((group) => group.reduce(joined));
}

function joined(one: Placeholder, other: Placeholder): Placeholder {
  const password = one.password || other.password;
  const places = [...one.places, ...other.places];
  return { ...one, password, default: password ? null : one.default, places };
}

/** Asks for the placeholders one by one; those left empty have no answer. */
export async function askAnswers(
  ports: ServerPorts,
  title: string,
  placeholders: readonly Placeholder[],
): Promise<Answer<Answers>> {
  const answers = new Map<string, string | typeof fromEnvironment>();
  const steps = placeholders.map((open, index) => async () => {
    const at = { title, step: index + 1, totalSteps: placeholders.length, canGoBack: true };
    const answer = await askOne(ports, at, open);
    if (answer === unanswered) answers.delete(open.key);
    else if (answer !== undefined && answer !== back) answers.set(open.key, answer);
    return answer;
  });
  const finished = await runFlow(steps);
  return finished === true ? answers : finished;
}

async function askOne(ports: ServerPorts, at: Step, placeholder: Placeholder): Promise<Answer<Given>> {
  const { kind, options } = placeholder;
  if (options === null && kind === 'input') return askValue(ports, at, placeholder);
  const name = plainText(placeholder.name, 80);
  const choices: Choice<Given | typeof typing>[] =
    options === null
      ? environmentChoices(ports, name, placeholder)
      : options.map((option) => ({ label: plainText(option, 200), value: option }));
  const question = {
    ...at,
    placeholder: questionWords(placeholder),
    choices: [...choices, leaveOpen(placeholder)],
  };
  for (;;) {
    const answer = await ports.chooseOne(question);
    if (answer !== typing) return answer;
    const typed = await askValue(ports, at, placeholder);
    if (typed !== back) return typed;
  }
}

/** Names a variable of this computer without showing its value, which is used only if selected. */
function environmentChoices(
  { environment }: ServerPorts,
  name: string,
  placeholder: Placeholder,
): Choice<Given | typeof typing>[] {
  const isSet = Object.hasOwn(environment, placeholder.name) && environment[placeholder.name] !== '';
  const taken: Choice<Given> = {
    label: l10n.t('Use {0} from this computer’s environment', name),
    detail: l10n.t('Its value is sent to the service when you save.'),
    value: fromEnvironment,
  };
  return [...(isSet ? [taken] : []), { label: l10n.t('Enter a value…'), value: typing }];
}

function leaveOpen({ hasDefault, default: value }: Placeholder): Choice<Given> {
  return {
    label: hasDefault ? l10n.t('Use the file’s default') : l10n.t('Leave empty'),
    ...(value !== null && { description: plainText(value, 200) }),
    ...(!hasDefault && { detail: l10n.t('You can fill it in later in the form.') }),
    value: unanswered,
  };
}

async function askValue(ports: ServerPorts, at: Step, placeholder: Placeholder): Promise<Answer<Given>> {
  const { password, default: value, hasDefault } = placeholder;
  const empty = hasDefault
    ? l10n.t('Leave empty to use the file’s default.')
    : l10n.t('Leave empty to fill it in later.');
  const answer = await ports.askText({
    ...at,
    prompt: value === null ? sentences(questionWords(placeholder), empty) : questionWords(placeholder),
    password,
    ...(value !== null && { value }),
  });
  return answer === '' && value === null ? unanswered : answer;
}

/** What to enter and where it’s used; not every place is a secret. */
function questionWords({ name, description, places }: Placeholder): string {
  const where = nameList([...new Set(places.map(placeWords))]);
  const what = plainText(name, 80);
  const open = places.some(({ at }) => at !== 'apiKey' && at !== 'env');
  const words =
    description === null || description === ''
      ? l10n.t('{0}, for {1}.', what, where)
      : l10n.t('{0}: {1} For {2}.', what, description, where);
  return open ? sentences(words, l10n.t('The service doesn’t treat this as a secret.')) : words;
}
