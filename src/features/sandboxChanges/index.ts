/** What other features, and compose, may import of this one. */
export { beganAt } from './model/beganAt';
export { blobHash } from './model/blobHash';
export type {
  Basis,
  ChangeKind,
  ChangeSet,
  ChangeSource,
  ChangedFile,
  ChangedRepository,
  FileMode,
  FileVersion,
  ReadChanges,
} from './model/changeSet';
export type { Commit } from './model/commits';
export { ContentCache } from './model/contentCache';
export { ConversationChanges, largestPack, type SandboxPlace } from './model/conversationChanges';
export { askSandbox, withUpload } from './model/sandboxAnswer';
export { findRepositories, type FoundRepository } from './model/sandboxChanges';
export { aloneWithGit, largestContent } from './model/sandboxScripts';
