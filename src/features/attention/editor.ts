/** What other features may import of this one that needs the editor. */
export { waitingCount, waitingWords } from './rows/statusBarContent';
