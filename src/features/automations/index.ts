/** What compose, and other features, may import of this one. */
export { nextRun } from './model/cron';
export { AutomationWatch, insteadOfRows } from './model/watch';
export { isAutomationOn } from './model/words';
