import type { Conversation } from '../../../api/service/schemas/conversation';
import { lastPart } from '../../../shared/lastPart';

/** Whether conversations are about the same repository: by its name, or by the names of their folders or worktrees. */
export function isSameRepository(conversations: readonly Conversation[]): boolean {
  const names = conversations.map(({ selected_repository: repository, folder }) => {
    if (repository) return repository.toLowerCase();
    return typeof folder === 'string' ? lastPart(folder) : '';
  });
  return new Set(names).size === 1;
}
