/** What other features, and compose, may import of this one. */
export { agentProblem, changeAgent } from './model/agentProblem';
export { cannotStartOn } from './model/agentStart';
export { Attempts, areComparable, attempts, type Attempt } from './model/attempts';
export type { AgentChoice } from './model/choice';
export { FirstMessages } from './model/firstMessages';
export { RememberedChoices } from './model/rememberedChoices';
export { StartFailed } from './model/startConversation';
export { StartTabs } from './model/startTabs';
export { Dismissed, NotFollowed, StartTasks, type LeftStart, type Start } from './model/startTasks';
export { stepWords } from './model/startWords';
export { noPictures, StartingConversation } from './model/startingConversation';
export { Templates } from './model/templates';
