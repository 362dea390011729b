import path from 'node:path';

/** A small change to a file of src, and whether tests noticed it. */
interface Change {
  file: string;
  line: number;
  /** `a > b → a >= b`: code before and after, each shortened to one line. */
  text: string;
  /** Whether a test failed or timed out. */
  noticed: boolean;
}

interface Position {
  line: number;
  column: number;
}
interface Report {
  files: Record<
    string,
    {
      source: string;
      mutants: {
        mutatorName: string;
        replacement: string;
        status: string;
        location: { start: Position; end: Position };
      }[];
    }
  >;
}

/** The changes in a StrykerJS report, without those that say nothing about the tests. */
export function readReport(json: string): Change[] {
  const { files } = JSON.parse(json) as Report;
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
      .map(({ replacement, status, location }) => ({
        file,
        line: location.start.line,
        text: `${onOneLine(textAt(source, location))} → ${onOneLine(replacement)}`,
        noticed: status === 'Killed' || status === 'Timeout',
      })),
  );
}

function textAt(source: string, { start, end }: { start: Position; end: Position }): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  return lines.join('\n').slice(start.column - 1);
}

function onOneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

/**
 * The changes that no test notices and `answers` doesn't explain (`open` is their number), answers that no longer
 * explain anything, unless only a sample of a file was changed, and a row per folder.
 */
export function summary(
  changes: readonly Change[],
  answers: Readonly<Record<string, Readonly<Record<string, string>>>>,
  isSample = false,
): { lines: string[]; open: number } {
  const isAnswered = ({ file, text }: Change) => answers[file]?.[text] !== undefined;
  const missed = changes.filter(({ noticed }) => !noticed);
  const open = missed.filter((change) => !isAnswered(change));
  const folders = [...new Set(changes.map(({ file }) => path.posix.dirname(file)))].sort();
  const row = (name: string, of: readonly Change[]) => {
    const noticed = of.filter((change) => change.noticed).length;
    const answered = of.filter((change) => !change.noticed && isAnswered(change)).length;
    const percent = ((noticed / of.length) * 100).toFixed(1);
    return `${name}: ${of.length} changes, ${noticed} noticed (${percent} %), ${answered} answered, ${of.length - noticed - answered} open`;
  };
  const stale = Object.entries(answers)
    .filter(([file]) => changes.some((change) => change.file === file))
    .flatMap(([file, of]) => Object.keys(of).map((text) => ({ file, text })))
    .filter(({ file, text }) => !missed.some((change) => change.file === file && change.text === text));
  return {
    lines: [
      ...open.map(({ file, line, text }) => `${file}:${line}: ${text}`),
      ...(isSample ? [] : stale).map(({ file, text }) => `${file}: obsolete answer: ${text}`),
      ...folders.map((folder) =>
        row(
          folder,
          changes.filter(({ file }) => path.posix.dirname(file) === folder),
        ),
      ),
      row('all', changes),
    ],
    open: open.length,
  };
}
