import * as l10n from '@vscode/l10n';
import { back, runFlow, type Answer } from '../../../../editor/flow';
import type { InputStep } from '../../../../editor/inputs';
import { joined, nameList, sentences } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { groupBy } from '../../../../core/basics/groupBy';
import { placeholderWords, type Duplicate } from '../../model/import/fill';
import {
  fromEnvironment,
  type PlaceholderAnswers,
  type ParsedServer,
  type Placeholder,
  type FilledServer,
  type RejectedServer,
  type ServerPreview,
} from '../../model/import/types';
import type { SelectItem, ServerPorts } from '../ports';
import { kindLabel, mcpLabel } from '../../../../shared/mcp';

type Given = string | typeof fromEnvironment | typeof unanswered;
/** Left empty: the file’s default applies, if it has one. */
const unanswered = Symbol('unanswered');
/** The user wants to type a value. */
const typing = Symbol('typing');

/** A placeholder, and the servers that get the answer. */
interface Question {
  placeholder: Placeholder;
  servers: ParsedServer[];
}

/** What to ask: an input of the file once for all its servers, but a variable for each server, which may mean another. */
function questionsOf(servers: readonly ParsedServer[]): Question[] {
  const all = servers.flatMap((server, index) =>
    server.preview.inputs.map((placeholder) => ({ placeholder, servers: [server], index })),
  );
  const groups = groupBy(all, ({ placeholder: { kind, key }, index }) =>
    kind === 'input' ? key : `${index} ${key}`,
  );
  return [...groups.values()].map((group) =>
    group.reduce((one, other) => ({
      ...one,
      placeholder: asOne(one.placeholder, other.placeholder),
      servers: [...one.servers, ...other.servers],
    })),
  );
}

/** It's secret if any of the servers treats it as secret. */
function asOne(one: Placeholder, other: Placeholder): Placeholder {
  const password = one.password || other.password;
  const places = [...one.places, ...other.places];
  return { ...one, password, default: password ? null : one.default, places };
}

/** Asks for the placeholders of the servers one by one; those left empty have no answer. */
export async function askAnswers(
  ports: ServerPorts,
  title: string,
  servers: readonly ParsedServer[],
): Promise<Answer<ReadonlyMap<ParsedServer, PlaceholderAnswers>>> {
  const answers = new Map(
    servers.map((server) => [server, new Map<string, string | typeof fromEnvironment>()]),
  );
  const questions = questionsOf(servers);
  const steps = questions.map(({ placeholder, servers: users }, index) => async () => {
    const at = { title, step: index + 1, totalSteps: questions.length, canGoBack: true };
    const names = servers.length > 1 ? users.map(({ preview }) => sourceLabel(preview)) : [];
    const answer = await askOne(ports, at, placeholder, names);
    for (const user of users) {
      if (answer === unanswered) answers.get(user)?.delete(placeholder.key);
      else if (answer !== undefined && answer !== back) answers.get(user)?.set(placeholder.key, answer);
    }
    return answer;
  });
  const finished = await runFlow(steps);
  return finished === true ? answers : finished;
}

async function askOne(
  ports: ServerPorts,
  at: InputStep,
  placeholder: Placeholder,
  servers: readonly string[],
): Promise<Answer<Given>> {
  const { kind, options } = placeholder;
  if (options === null && kind === 'input') return askValue(ports, at, placeholder, servers);
  const name = plainText(placeholder.name, 80);
  const choices: SelectItem<Given | typeof typing>[] =
    options === null
      ? environmentChoices(ports, name, placeholder)
      : options.map((option) => ({ label: plainText(option, 200), value: option }));
  const question = {
    ...at,
    placeholder: questionWords(placeholder, servers),
    choices: [...choices, leaveOpen(placeholder)],
  };
  for (;;) {
    const answer = await ports.chooseOne(question);
    if (answer !== typing) return answer;
    const typed = await askValue(ports, at, placeholder, servers);
    if (typed !== back) return typed;
  }
}

/** Names a variable of this computer without showing its value, which is used only if selected. */
function environmentChoices(
  { environment }: ServerPorts,
  name: string,
  placeholder: Placeholder,
): SelectItem<Given | typeof typing>[] {
  const isSet = Object.hasOwn(environment, placeholder.name) && environment[placeholder.name] !== '';
  const taken: SelectItem<Given> = {
    label: l10n.t('Use {0} from this computer’s environment', name),
    detail: l10n.t('Its value is sent to the service when you save.'),
    value: fromEnvironment,
  };
  return [...(isSet ? [taken] : []), { label: l10n.t('Enter a value…'), value: typing }];
}

function leaveOpen({ hasDefault, default: value }: Placeholder): SelectItem<Given> {
  return {
    label: hasDefault ? l10n.t('Use the file’s default') : l10n.t('Leave empty'),
    ...(value !== null && { description: plainText(value, 200) }),
    ...(!hasDefault && { detail: l10n.t('Leave empty to fill it in later.') }),
    value: unanswered,
  };
}

async function askValue(
  ports: ServerPorts,
  at: InputStep,
  placeholder: Placeholder,
  servers: readonly string[],
): Promise<Answer<Given>> {
  const { password, default: value, hasDefault } = placeholder;
  const empty = hasDefault
    ? l10n.t('Leave empty to use the file’s default.')
    : l10n.t('Leave empty to fill it in later.');
  const answer = await ports.askText({
    ...at,
    prompt:
      value === null
        ? sentences(questionWords(placeholder, servers), empty)
        : questionWords(placeholder, servers),
    password,
    ...(value !== null && { value }),
  });
  return answer === '' && value === null ? unanswered : answer;
}

/** A description, which often is only a few words, before a sentence. */
const asSentence = (text: string) => (/[\p{Sentence_Terminal}…:]\s*$/u.test(text) ? text : `${text}.`);

/** What to enter and where it’s used, with the servers if there are several; not every place is a secret. */
function questionWords({ name, description, places }: Placeholder, servers: readonly string[]): string {
  const where = nameList([...new Set(places.map(placeholderWords))]);
  const what = plainText(name, 80);
  const open = places.some(({ at }) => at !== 'apiKey' && at !== 'env');
  const words =
    description === null || description === ''
      ? l10n.t('{0}, for {1}.', what, where)
      : l10n.t('{0}: {1} For {2}.', what, asSentence(description), where);
  const named = servers.length === 0 ? words : l10n.t('{0}: {1}', nameList(servers), words);
  return open ? sentences(named, l10n.t('The service doesn’t treat this as a secret.')) : named;
}

const longestName = 80;
const longestLine = 200;
/** A file may have any number of problems. */
const mostNotices = 30;

/** A server's name in its file, else its label on the service. */
function sourceLabel(preview: ServerPreview): string {
  return plainText(preview.sourceName || mcpLabel(preview), longestName) || l10n.t('Unnamed server');
}

/** A row of the preview: the server, and what to know before importing it. */
export function previewChoice(parsed: ParsedServer, duplicate: Duplicate | null): SelectItem<ParsedServer> {
  const { preview } = parsed;
  const { kind, from, url, command, args, inputs, cannotCarry, disabled, problems } = preview;
  const what = kind === 'stdio' ? [command, ...args].join(' ') : url;
  const details = [
    ...(duplicate === null ? [] : [duplicateWords(duplicate)]),
    ...(disabled ? [l10n.t('Disabled in the file: will be parked')] : []),
    ...problems.map(({ message }) => message),
    ...(cannotCarry.length > 0 ? [l10n.t('Not imported: {0}', nameList(cannotCarry))] : []),
    ...(inputs.length > 0
      ? [l10n.t('Will ask for: {0}', nameList(inputs.map(({ name }) => plainText(name, longestName))))]
      : []),
    ...secretWords(preview),
  ];
  return {
    label: sourceLabel(preview),
    description: joined(kindLabel(kind), plainText(from, longestName), plainText(what, longestLine)),
    detail: plainText(joined(...details), 600),
    picked: duplicate === null,
    value: parsed,
  };
}

function duplicateWords({ of, label }: Duplicate): string {
  const name = plainText(label, longestName);
  return of === 'existing'
    ? l10n.t('Duplicate: {0} is already in your list', name)
    : l10n.t('Duplicate: {0} appears earlier in this file', name);
}

function secretWords({ hasApiKey, env }: ServerPreview): string[] {
  const variables = nameList(env.map((name) => plainText(name, longestName)));
  return [
    ...(hasApiKey ? [l10n.t('with key')] : []),
    ...(env.length > 0 ? [l10n.t('Variables: {0}', variables)] : []),
  ];
}

/** What became of a server that is disabled in its file; `refusal` says why it couldn't be parked, if so. */
export function parkedWords({ preview }: ParsedServer, refusal: string | undefined): string {
  const name = sourceLabel(preview);
  return refusal === undefined
    ? l10n.t('{0} is disabled in the file, so it was parked. Restore it to use it.', name)
    : l10n.t('{0} is disabled in the file and couldn’t be parked, so it wasn’t imported. {1}', name, refusal);
}

/** Notices after an import: what was imported, and what wasn't; of disabled servers, only what was left out. */
export function importNotices(
  taken: readonly { parsed: ParsedServer; filled: FilledServer }[],
  rejected: readonly RejectedServer[],
): string[] {
  const about = taken.flatMap(({ parsed: { preview }, filled }) => {
    const name = sourceLabel(preview);
    const { cannotCarry } = preview;
    const messages = [...preview.problems, ...filled.problems].map(({ message }) => message);
    const lost =
      cannotCarry.length > 0 ? [l10n.t('{0}: not imported: {1}.', name, nameList(cannotCarry))] : [];
    return [...lost, ...[...messages, ...filled.notes].map((words) => `${name}: ${words}`)];
  });
  const refused = rejected.map(({ sourceName, reason }) =>
    l10n.t('{0} wasn’t imported: {1}', plainText(sourceName, longestName), reason),
  );
  const added = taken.filter(({ parsed }) => !parsed.preview.disabled).length;
  const came =
    added === 1
      ? l10n.t('1 server imported. It isn’t saved yet: review it, then save.')
      : l10n.t('{0} servers imported. They aren’t saved yet: review them, then save.', added);
  return boundedWords([...(added > 0 ? [came] : []), ...about, ...refused]);
}

/** Notices, as many and as long as the form shows. */
export function boundedWords(notices: readonly string[]): string[] {
  const all = notices.map((words) => plainText(words, 600));
  const more = all.length - mostNotices;
  return more > 0 ? [...all.slice(0, mostNotices), l10n.t('and {0} more messages', more)] : all;
}
