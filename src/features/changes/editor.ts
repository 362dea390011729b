/** What other features may import of this one that needs the editor. */
export { applyChanges } from './commands/apply';
export { tellFailure, type ChangesNeeds } from './commands/needs';
export { uriOf } from './commands/openChanges';
