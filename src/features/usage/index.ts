/** What other features, and compose, may import of this one. */
export { overBudget } from './model/budget';
export { UsageReading } from './model/reading';
export { uncountedWords } from './model/words';
