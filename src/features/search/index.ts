/** What other features, and compose, may import of this one. */
export { ConversationSearch } from './model/search';
