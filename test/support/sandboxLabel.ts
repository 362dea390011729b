import { sandboxLabel as labelOf } from '../../src/core/lists/names';
import type { ReferenceService } from '../service/service';

/** The extension's label for a sandbox of the service, based on what the service's profile shows. */
export function sandboxLabel({ profile, state }: ReferenceService, id: string): string {
  const conversations = [...state.conversations.values()];
  if (profile === 'observed') return labelOf(state.sandboxes.get(id) ?? { id }, conversations);
  return labelOf(
    { id },
    conversations.map(({ id, title, sandbox_id, created_at }) => ({ id, title, sandbox_id, created_at })),
  );
}
