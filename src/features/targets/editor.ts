/** What other features may import of this one that needs the editor. */
export { serverOf } from './commands/agentServerOf';
export {
  changesInEditor,
  choiceOf,
  chooseConversation,
  namedConversation,
} from './commands/chooseConversation';
export { chooseHere } from './commands/chooseHere';
export { whileHeld } from './commands/held';
export {
  areElsewhere,
  chooseConversations,
  chooseRow,
  chosenElsewhere,
  isElsewhere,
  readListsAgain,
  rowElsewhere,
  type RowNeeds,
  selectedIds,
  selectedRows,
} from './commands/selected';
export { selectedCode } from './commands/selectedCode';
export { isOnService, switchTo, type SwitchNeeds } from './commands/switchTo';
export { tellFailed } from './commands/tellFailed';
export { tellNone, tellSwitched } from './commands/tellNone';
