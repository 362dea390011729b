/** What other features, and compose, may import of this one. */
export { purposeOf, purposeOfCall, type PlannedEdit, type Purpose } from './model/actions';
export { Branches, type Leaf } from './model/branches';
export { clip, clipAll } from './model/clip';
export { compact, compactAction, isShortened, picturesOf, eventText, withoutPictures } from './model/compact';
export { diffOf, type Diff } from './model/diff';
export { changedFiles, plannedSides, wholeDiff } from './model/edits';
export { createEntryMaker } from './model/entries';
export { entryText } from './model/entryText';
export { EventList } from './model/eventList';
export {
  agentPages,
  eventsFrom,
  latestEvents,
  mostPages,
  storedPages,
  type ReadPage,
} from './model/eventPages';
export { entryExcerpt, exportJson, exportMarkdown } from './model/exportText';
export { goesOn, mayBeAnswered } from './model/goingOn';
export { KnownSecrets } from './model/knownSecrets';
export { Outcomes, outcomesIn, type ActionEvent, type ToolCallEvent } from './model/outcomes';
export { pretty, readableArguments } from './model/readable';
export { restingPlace } from './model/restingPlace';
export { createSecretMask, maskedAgain, type SecretMask } from './model/secretMask';
export { secretValues } from './model/secretValues';
export { asksNobody, canGoOn, runsAfterwards, sendEffect, sendPlan } from './model/sendPlan';
export { detailOf, purposeOfEvent } from './model/steps';
export { callsIn, joinedReports, type Reports } from './model/toolCalls';
export { cannotReach, cannotSend, hasNotStarted, mayHaveArrived, notSent, words } from './model/words';
