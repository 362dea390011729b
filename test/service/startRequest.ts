import { Invalid, isObject, issue, missing, notAnObject, type Issue } from './http';
import { gitProviders } from './providerTokens';
import { readBoolean, readChoice, readString, readTexts, type ReadValue } from './validation';

/** A client's request to start a conversation, with every member filled in as in the service's answer. */
export interface StartRequest extends Record<string, unknown> {
  sandbox_id: string | null;
  initial_message: { role: string; content: Record<string, unknown>[] } | null;
  llm_model: string | null;
  selected_repository: string | null;
  selected_branch: string | null;
  git_provider: string | null;
  title: string | null;
  trigger: string | null;
  pr_number: number[];
  parent_conversation_id: string | null;
  public: boolean | null;
}

const roles = ['user', 'system', 'assistant', 'tool'];
const triggers = [
  'resolver',
  'gui',
  'suggested_task',
  'openhands_api',
  'slack',
  'microagent_management',
  'jira',
  'jira_dc',
  'linear',
  'bitbucket',
];

const oneOf =
  (choices: readonly string[]): ReadValue =>
  (value, loc, _rules, issues) => {
    readChoice(value, loc, choices, issues);
    return value;
  };
const readList: ReadValue = (value, loc, _rules, issues) => {
  if (!Array.isArray(value)) issues.push(issue(loc, 'Input should be a valid list', 'list_type', value));
  return value;
};
const readMessage: ReadValue = (value, loc, rules, issues) => {
  if (!isObject(value)) {
    issues.push(notAnObject(loc, value));
    return value;
  }
  const { role = 'user', content = [], run = false } = value;
  readChoice(role, [...loc, 'role'], roles, issues, 'literal_error');
  const parts = readList(content, [...loc, 'content'], rules, issues);
  if (!Array.isArray(parts)) return value;
  return {
    role,
    content: parts.map((part: unknown, index) => readPart(part, [...loc, 'content', index], issues)),
    run,
  };
};

/**
 * Reads a part of a message: text or images. A part that's neither gets issues for both, as from a union of two models.
 */
function readPart(part: unknown, loc: Issue['loc'], issues: Issue[]): unknown {
  const [asText, asImages]: [Issue[], Issue[]] = [[], []];
  const read = (model: string, type: string, content: string, into: Issue[], check: ReadValue) => {
    const at = [...loc, model];
    if (!isObject(part)) {
      into.push(notAnObject(at, part));
      return;
    }
    readChoice(part['type'] ?? type, [...at, 'type'], [type], into, 'literal_error');
    if (part[content] === undefined) into.push(missing([...at, content], part));
    else check(part[content], [...at, content], { lax: true }, into);
  };
  read('TextContent', 'text', 'text', asText, readString);
  if (asText.length === 0)
    return { cache_prompt: false, type: 'text', enable_truncation: true, ...(part as object) };
  read('ImageContent', 'image', 'image_urls', asImages, (value, at, _rules, into) =>
    readTexts(value, at, into),
  );
  if (asImages.length === 0) return { cache_prompt: false, type: 'image', ...(part as object) };
  issues.push(...asText, ...asImages);
  return part;
}

/** In the order that the service checks and returns them, each with its default. */
const members: [name: string, missing: unknown, read: ReadValue][] = [
  ['sandbox_id', null, readString],
  ['conversation_id', null, readString],
  ['initial_message', null, readMessage],
  ['system_message_suffix', null, readString],
  ['processors', null, readList],
  ['llm_model', null, readString],
  ['selected_repository', null, readString],
  ['selected_branch', null, readString],
  ['git_provider', null, oneOf(gitProviders)],
  ['title', null, readString],
  ['trigger', null, oneOf(triggers)],
  ['pr_number', [], readList],
  ['parent_conversation_id', null, readString],
  ['agent_type', 'default', oneOf(['default', 'plan'])],
  ['public', null, readBoolean],
];

/** Reads the body of `POST /api/v1/app-conversations`; unknown members are dropped. Throws Invalid. */
export function readStartRequest(body: Record<string, unknown>): StartRequest {
  const issues: Issue[] = [];
  const request = members.map(([name, otherwise, read]): [string, unknown] => {
    const value = body[name];
    if (value === undefined || (value === null && otherwise === null)) return [name, otherwise];
    return [name, read(value, ['body', name], { lax: true }, issues)];
  });
  if (issues.length > 0) throw new Invalid(issues);
  return Object.fromEntries(request) as StartRequest;
}

/** The first text of the message, or '' without one. */
export function firstText({ initial_message: message }: StartRequest): string {
  const text = message?.content.find((part) => part['type'] === 'text')?.['text'];
  return typeof text === 'string' ? text : '';
}
