/** What other features may import of this one that needs the editor. */
export { pauseForMore, pauseForMoreTitle } from './commands/pauseForMore';
