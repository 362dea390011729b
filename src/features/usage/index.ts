/** What other features, and compose, may import of this one. */
export { UsageReading } from './model/reading';
export { uncountedWords } from './model/words';
