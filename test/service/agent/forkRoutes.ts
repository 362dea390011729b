import { randomUUID } from 'node:crypto';
import type { Answer, Call } from '../http';
import type { AgentConversation, ConversationOptions } from './conversation';
import { view } from './routes';

type Added = Omit<ConversationOptions, 'release' | 'clock'>;

const bareId = (id: string) => id.replaceAll('-', '').toLowerCase();

/** `POST C/fork`: a conversation with the events up to one, in the same folder; undefined for other calls. */
export function forkAnswer(
  {
    conversations,
    add,
  }: { conversations: ReadonlyMap<string, AgentConversation>; add: (options: Added) => AgentConversation },
  source: AgentConversation,
  { method, path, body: sent }: Call,
): Answer | undefined {
  if (method !== 'POST' || !/^\/api\/conversations\/[^/]+\/fork$/.test(path)) return undefined;
  if (!source.habits.branches) return { status: 404, body: { detail: 'Not Found' } };
  const body = 'value' in sent ? (sent.value as Record<string, unknown>) : {};
  const { id = randomUUID(), from_event_id: from, title, tags } = body;
  if (conversations.has(bareId(String(id)))) return { status: 409, body: { detail: 'Conversation exists' } };
  const last = typeof from === 'string' ? from : source.log.leaf;
  if (!source.log.all.some((event) => event.id === last))
    return { status: 404, body: { detail: `Event not found: ${String(from)}` } };
  const forked = add({
    id: String(id),
    title: typeof title === 'string' ? title : null,
    workingDir: source.workingDir,
    about: source.about,
    policy: source.policy,
  });
  const parents = new Map(source.log.all.map((event) => [event.id, event['parent_id']]));
  const kept = new Set<unknown>();
  for (let at: unknown = last; typeof at === 'string' && !kept.has(at); at = parents.get(at)) kept.add(at);
  forked.log.all.splice(0, Infinity, ...source.log.all.filter((event) => kept.has(event.id)));
  forked.log.leaf = last;
  forked.tags = (tags as Record<string, unknown> | undefined) ?? {};
  return { status: 201, body: view(forked) };
}
