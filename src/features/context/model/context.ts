import * as l10n from '@vscode/l10n';
import { longestName } from '../../../shared/bounded';
import { plainText } from '../../../shared/plainText';
import type { QuotedSelection } from '../../../shared/selection';
import { secretSign } from '../../../core/secretFiles';
import type { FilePlace } from './filePlace';

/** A file that may go along with a message, as far as it's known without reading it. */
export interface LocatedFile extends FilePlace {
  uri: string;
  /** For questions. */
  name: string;
}

export interface ReadFile {
  quote: QuotedSelection;
  /** All of it. */
  text: string;
}

/** What is sent along once the user agrees. */
export interface ContextSource extends Omit<LocatedFile, 'uri'> {
  /** Quotes it; undefined for what can't be read as text, or is too long. */
  read: () => Promise<ReadFile | undefined>;
}

/** Something in the editor that can go along with a message. */
export interface ContextItem {
  kind: 'file' | 'folder' | 'symbol' | 'selection' | 'problems' | 'changes';
  label: string;
  /** Where it is, or how much of it there is. */
  detail: string;
  /** Finds out where it is, without reading it; undefined if it's gone. */
  locate: () => Promise<ContextSource | undefined>;
}

/** Finds what can go along with a message. */
export interface ContextFinder {
  /** What has this in its name; what suggests itself for an empty query. */
  find: (query: string) => Promise<readonly ContextItem[]>;
  /** Symbols of the code with such names, which can take seconds. */
  findSymbols: (query: string) => Promise<readonly ContextItem[]>;
  /** Asks the user; empty if they canceled. */
  pick: () => Promise<readonly ContextItem[]>;
}

export interface Consent {
  /** What the questions call the message it's for. */
  title: string;
  /** Asks before something is done; true if the user agreed. */
  confirm: (message: string, detail: string, action: string) => Promise<boolean>;
  /** Whether it may be read without asking. */
  isFree: (file: LocatedFile | ContextSource) => boolean;
}

/**
 * Reads what may go along with a message: asks about what isn't free before it's read, and about what may hold secrets.
 * @returns what is attached, and how many couldn't be read
 */
export async function agreedQuotes(
  sources: readonly (ContextSource | undefined)[],
  { title, confirm, isFree }: Consent,
): Promise<{ quotes: QuotedSelection[]; unreadable: number }> {
  const agreed = async <Source extends ContextSource>(
    all: readonly Source[],
    needsConsent: (source: Source) => boolean,
    question: string,
  ): Promise<readonly Source[]> => {
    const doubtful = new Set(all.filter(needsConsent));
    if (doubtful.size === 0) return all;
    // All of them: what isn't named can't be agreed to.
    const names = [...doubtful].map(({ name }) => plainText(name, longestName)).join('\n');
    const detail = `${names}\n\n${l10n.t('The agent will be able to read them.')}`;
    if (await confirm(question, detail, l10n.t('Attach'))) return all;
    return all.filter((source) => !doubtful.has(source));
  };
  const known = sources.filter((source) => source !== undefined);
  const allowed = await agreed(
    known,
    (source) => !isFree(source),
    l10n.t('Attach files from outside the workspace to “{0}”?', title),
  );
  const read = await Promise.all(allowed.map(async (source) => ({ ...source, ...(await source.read()) })));
  const readable = read.filter((source): source is ContextSource & ReadFile => source.quote !== undefined);
  const attached = await agreed(
    readable,
    ({ paths, text }) => paths.some((one) => secretSign(one, Buffer.from(text)) !== undefined),
    l10n.t('Attach files that may contain secrets to “{0}”?', title),
  );
  return {
    quotes: attached.map(({ quote }) => quote),
    unreadable: sources.length - known.length + allowed.length - readable.length,
  };
}
