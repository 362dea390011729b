import type { CommandDependencies, Handler } from '../../dependencies';
import { selectedCode } from '../selectedCode';

/** Start Conversation about Selection…: adds the selection to the message, where the user sees it before it is sent. */
export function startFromSelection({ message }: Pick<CommandDependencies, 'message'>): Handler {
  return async () => {
    const selected = selectedCode();
    if (!selected) return;
    await message.begin({ about: selected.file });
    await message.addSelection(selected.quote);
  };
}
