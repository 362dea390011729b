import { ok, type Answer, type Call } from '../http';
import type { AgentConversation } from './conversation';

/** The container of a conversation. */
export type Runtime = 'available' | 'starting' | 'missing' | 'archived' | 'error';

/** As the server shows it; an archived one is missing for good. */
export const runtimeInfo = ({ container }: Pick<AgentConversation, 'container'>) => ({
  runtime_status: container === 'archived' ? 'missing' : (container ?? 'available'),
  can_resume: container !== 'archived',
  runtime_error:
    container === 'error' ? { code: 'container_failed', message: 'The container’s image is missing' } : null,
});

/** Answers requests for a conversation’s container; undefined for other requests. Without one, it’s always there. */
export function runtimeAnswer(conversation: AgentConversation, { method, path }: Call): Answer | undefined {
  const [, rest] = /^\/api\/conversations\/[^/]+\/runtime(\/reprovision)?$/.exec(path) ?? [];
  if (!/\/runtime(?:\/reprovision)?$/.test(path)) return undefined;
  const { container } = conversation;
  switch (`${method} ${rest ?? ''}`) {
    case 'GET ':
      return ok(runtimeInfo(conversation));
    case 'DELETE ':
      if (container === undefined) return { status: 405, body: { detail: 'Method Not Allowed' } };
      if (container !== 'archived') conversation.container = 'missing';
      return { status: 204, body: '' };
    case 'POST /reprovision':
      if (container === 'archived')
        return {
          status: 410,
          body: { detail: 'Conversation runtime was archived; its history is read-only' },
        };
      if (container === 'error')
        return { status: 502, body: { detail: 'Could not start conversation container' } };
      if (container !== undefined) conversation.container = 'available';
      return ok(runtimeInfo(conversation));
    default:
      return undefined;
  }
}
