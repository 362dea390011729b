/** What other features, and compose, may import of this one. */
export {
  addressOf,
  addressOfList,
  conversationAt,
  placeOf,
  type ChangeOrigin,
  type ChangePlace,
} from './model/changePlace';
export { conversationRow, type ConversationRowState, isPausedByService } from './model/conversationRow';
export {
  conversationsIn,
  deleteAllAsPlanned,
  deleteAsPlanned,
  isSafe,
  planDeletion,
  planDeletions,
  type Deletion,
  type NotDeleted,
} from './model/deletion';
export { Branch, forest } from './model/forest';
