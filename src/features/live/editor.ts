/** What other features may import of this one that needs the editor. */
export { chooseLive, titleOf, type Live, type LiveNeeds } from './commands/choose';
export { readFirst } from './commands/firstMessage';
export { policies } from './commands/policies';
export { tell } from './commands/steer';
export { workOn } from './commands/work';
