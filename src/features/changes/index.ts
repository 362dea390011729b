/** What other features, and compose, may import of this one. */
export { ChangeComments } from './model/changeComments';
export {
  Deliveries,
  hasChanges,
  noChanges,
  type Delivery,
  type DeliveryCourse,
  type StartedDelivery,
} from './model/deliveries';
export { deliver, type DeliveryStep } from './model/delivering';
export { isBinary } from './model/merge';
export {
  isSentByDefault,
  largestOutgoing,
  largestPatch,
  parseAttributes,
  parsePaths,
  parseSkipped,
  parseTracked,
  type NotSent,
  type Outgoing,
  type OutgoingEntry,
  type OutgoingFile,
} from './model/outgoing';
export { isInGit } from './model/paths';
export { mayBeMissing, readChanges, type AllChanges } from './model/readChanges';
export { SeenChanges } from './model/seenChanges';
export { ShownChanges } from './model/shownChanges';
