import type { Entry, StepDetail } from '../../../shared/transcript';

/** The parts of a step that people can read and search. */
const detailParts: { [S in StepDetail['step']]: (detail: Extract<StepDetail, { step: S }>) => string[] } = {
  terminal: ({ command, output }) => [command, output?.text ?? ''],
  edit: ({ path, diff }) => [path, ...diff.map(({ text }) => text)],
  read: ({ path, output }) => [path, output?.text ?? ''],
  plan: ({ tasks }) => tasks.flatMap(({ title, notes }) => [title, notes]),
  mcp: ({ tool, input, output }) => [tool, input, output?.text ?? ''],
  browser: ({ tool, input, output }) => [tool, input, output?.text ?? ''],
  think: ({ text }) => [text],
  finish: ({ text }) => [text],
  other: ({ tool, input, output }) => [tool, input, output?.text ?? ''],
};

const entryParts: { [K in Entry['kind']]: (entry: Extract<Entry, { kind: K }>) => string[] } = {
  message: ({ text, thought }) => [text.text, thought],
  step: ({ summary, thought, problem, detail }) => {
    const parts = detailParts[detail.step] as (detail: StepDetail) => string[];
    return [summary, thought, ...parts(detail), problem.text];
  },
  error: ({ title, text }) => [title, text.text],
  separator: ({ text }) => [text],
};

/** All the text of an entry that the transcript holds. */
export function entryText(entry: Entry): string {
  const parts = entryParts[entry.kind] as (entry: Entry) => string[];
  return parts(entry).filter(Boolean).join('\n');
}
