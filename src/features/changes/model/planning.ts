import { someAtOnce } from '../../../core/basics/someAtOnce';
import { inTurns } from '../../../core/basics/steps';
import type { ChangedFile, ChangeSet, ChangeSource, FileVersion } from '../../sandboxChanges';
import { largestApplied, type NotApplied } from './notApplied';
import { colliding, pathProblem } from './paths';
import { localContent, type PlannedChange, type FilePlan, type Local, planFile } from './plan';
import { type BothSides, type CheckOut, inFormOf } from './workingForm';

/** Largest size of all contents together, in bytes. */
const largestSet = 200 * 1024 * 1024;
/** Files to read at a time: a source combines requests that are made together. */
export const filesAtOnce = 200;

/** Where changes are to be applied. */
export interface ApplyTarget {
  /** What is at a path, without following links. */
  read: (path: string) => Promise<Local>;
  /** Whether names are treated there as on Windows. */
  windows: boolean;
  /** Absent where files are as git holds them. */
  checkOut?: CheckOut | undefined;
}

/** What applying changes would do. */
export interface ApplyPlan {
  changes: PlannedChange[];
  refused: { path: string; why: NotApplied }[];
  /** Files that are as the agent has them. */
  same: number;
}

/**
 * Plans how changes get into a folder, without writing. Throws ApiError of reason `canceled`, and what `read` throws.
 */
export async function planChanges(
  { files }: Pick<ChangeSet, 'files'>,
  content: ChangeSource['content'],
  target: ApplyTarget,
  report: (done: number, of: number) => void,
  signal?: AbortSignal,
): Promise<ApplyPlan> {
  const refusals = refusedBeforehand(files, target.windows);
  const left = files.filter((file) => !refusals.has(file));
  let done = 0;
  const fetched = await someAtOnce(left, filesAtOnce, async (file) => {
    signal?.throwIfAborted();
    const sides = await fetchSides(file, content, signal);
    report((done += 1), left.length);
    return { file, sides };
  });
  const out = await checkedOut(fetched, target, signal);
  // What is here comes last: it may change while the sandbox answers.
  const plans = await someAtOnce(fetched, filesAtOnce, (one) => planOne(one, out.get(one), target));
  return {
    changes: plans.filter((plan) => plan.kind === 'change'),
    refused: [
      ...Array.from(refusals, ([{ path }, why]) => ({ path, why })),
      ...plans.filter((plan) => plan.kind === 'refused'),
    ],
    same: plans.filter(({ kind }) => kind === 'same').length,
  };
}

/** Files that nothing has to be read for, because they can’t be applied. */
export function refusedBeforehand(
  files: readonly ChangedFile[],
  windows: boolean,
): Map<ChangedFile, NotApplied> {
  const pathsOf = ({ path, oldPath }: ChangedFile) => (oldPath === undefined ? [path] : [path, oldPath]);
  const collisions = colliding(files.filter(({ unreadableName }) => !unreadableName).flatMap(pathsOf));
  const found = new Map<ChangedFile, NotApplied>();
  let bytes = 0;
  for (const file of files) {
    const versions = [file.before, file.after].filter((version) => version !== null);
    const problems = pathsOf(file).map((path) => pathProblem(path, windows));
    const sizes = versions.map(({ size }) => size ?? 0);
    const why: (NotApplied | false | undefined)[] = [
      file.unreadableName && 'unreadableName',
      ...problems,
      versions.some(({ mode }) => mode === '160000') && 'submodule',
      versions.some(({ mode }) => mode === '120000') && 'link',
      versions.some(({ masked }) => masked) && 'masked',
      pathsOf(file).some((path) => collisions.has(path)) && 'collision',
      sizes.some((size) => size > largestApplied) && 'tooLarge',
      (bytes += sizes.reduce((sum, size) => sum + size, 0)) > largestSet && 'tooMuch',
    ];
    const first = why.find((reason): reason is NotApplied => typeof reason === 'string');
    if (first) found.set(file, first);
  }
  return found;
}

/** The contents of a changed file; undefined if they can’t be read. */
async function fetchSides(
  { before, after }: ChangedFile,
  content: ChangeSource['content'],
  signal?: AbortSignal,
): Promise<BothSides | undefined> {
  const bytes = (version: FileVersion | null) => version && content(version, signal);
  try {
    const [base, agent] = await Promise.all([bytes(before), bytes(after)]);
    return { base, agent };
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}

/** A changed file, and its sides as git holds them, if they could be read. */
interface Fetched {
  file: ChangedFile;
  sides: BothSides | undefined;
}

/** The sides of files as git checks them out in the folder. */
async function checkedOut(
  fetched: readonly Fetched[],
  { checkOut }: ApplyTarget,
  signal: AbortSignal | undefined,
): Promise<Map<Fetched, BothSides>> {
  const found = new Map<Fetched, BothSides>();
  if (!checkOut) return found;
  // Attributes that the agent changed apply to its side only.
  for (const side of ['base', 'agent'] as const) {
    const blobs = fetched.flatMap((one) => {
      const content = one.sides?.[side];
      const { path, oldPath = path } = one.file;
      return content ? [{ one, path: side === 'base' ? oldPath : path, content }] : [];
    });
    const results = await checkOut(blobs, signal);
    for (const [index, { one }] of blobs.entries())
      found.set(one, { ...(found.get(one) ?? { base: null, agent: null }), [side]: results[index] ?? null });
  }
  return found;
}

async function planOne(
  { file, sides: stored }: Fetched,
  out: BothSides | undefined,
  { read }: ApplyTarget,
): Promise<FilePlan> {
  const { path, oldPath } = file;
  if (!stored) return { kind: 'refused', path, why: 'unread' };
  const here = await read(oldPath ?? path);
  const sides = inFormOf(stored, out ?? stored, localContent(here));
  if (typeof sides === 'string' && !(here && 'blocked' in here)) return { kind: 'refused', path, why: sides };
  const there = oldPath === undefined ? null : await read(path);
  return inTurns(planFile(file, { ...(typeof sides === 'string' ? stored : sides), here, target: there }));
}
