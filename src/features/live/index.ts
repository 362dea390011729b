/** What other features, and compose, may import of this one. */
export { alone } from './model/alone';
export { LiveModels, type ConnectedService } from './model/conversationModels';
export { followLists, type Lists } from './model/listed';
export { maskedClient } from './model/maskedClient';
export type { ConversationModel, Outcome, TakenBack } from './model/model';
export type { ConversationModels } from './model/models';
export { onceFilled, onceRead } from './model/onceRead';
export { AcceptedOrigins } from './model/origins';
export { storedOutbox } from './model/outbox';
export type { TranscriptPorts } from './model/ports';
