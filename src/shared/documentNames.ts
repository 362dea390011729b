import { plainText } from './plainText';

const longest = 100;

/** What names of documents can't have in them. */
const separators = /[\\/:*?"<>|]/g;

/** A text of unknown origin as the name of a document, without its ending. */
export function documentName(title: string): string {
  return plainText(title, longest).replace(separators, '_');
}

/** The path of a file of unknown origin as that of a document. */
export function documentPath(path: string): string {
  const parts = path.split(/[\\/]/).map(documentName);
  return parts.filter((part) => !/^\.{0,2}$/.test(part)).join('/');
}
