import type { MessageEditor } from '../../../editor/messageEditor';
import type { Handler } from '../../../editor/handler';
import { selectedCode } from '../../targets/editor';

/** Start Conversation about Selection…: adds the selection to the message, where the user sees it before it is sent. */
export function startFromSelection({ message }: { message: MessageEditor }): Handler {
  return async () => {
    const selected = selectedCode();
    if (!selected) return;
    await message.begin({ about: selected.file });
    await message.addSelection(selected.quote);
  };
}
