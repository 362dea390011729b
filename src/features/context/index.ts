/** What other features, and compose, may import of this one. */
export {
  agreedQuotes,
  type ContextFinder,
  type ContextItem,
  type ContextSource,
  type LocatedFile,
  type ReadFile,
} from './model/context';
export {
  bestPaths,
  changesQuote,
  folderQuote,
  namePattern,
  pathsInDiff,
  problemsQuote,
} from './model/contextTexts';
export { filePlace } from './model/filePlace';
