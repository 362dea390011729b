import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How windows check a lock; tests use a pace of their own. */
export interface LockPace {
  /** Milliseconds between two looks at a lock that another window holds. */
  lookMs: number;
  /** Milliseconds between two renewals of a lock that this window holds; several fit into `forgottenLooks`. */
  renewMs: number;
  /** Looks in a row at a lock that was not renewed, after which it is taken over. */
  forgottenLooks: number;
  /** Looks after which to stop waiting. */
  patience: number;
}

const defaultPace: LockPace = { lookMs: 200, renewMs: 1_000, forgottenLooks: 50, patience: 150 };

/** A window's turn; see `Hold` of the state. */
interface Turn {
  isHeld: () => boolean;
  release: () => void;
}

/** Used if no lock is possible: nobody waits. */
const unlocked: Turn = { isHeld: () => true, release: () => undefined };

/**
 * The state's lock: a file per origin on this computer, which its holder renews. A lock is taken over if its process
 * has ended, or if a waiting window has looked many times and seen no renewal. Counting looks instead of time keeps
 * sleep and clock changes from robbing a live holder.
 */
export class WindowLock {
  private readonly pace: LockPace;

  /** @param folder a folder for the locks alone, shared by all windows of this user on this computer */
  constructor(
    private readonly folder: string,
    pace: Partial<LockPace> = {},
  ) {
    this.pace = { ...defaultPace, ...pace };
  }

  /** See `WindowLock` of the state. */
  async take(origin: string): Promise<Turn | undefined> {
    const name = createHash('sha256').update(origin).digest('hex').slice(0, 32);
    const file = path.join(this.folder, `${name}.lock`);
    const mine = `${process.pid} ${randomUUID()} ${hostname()}`;
    const { lookMs, forgottenLooks, patience } = this.pace;
    if (!isOwnFolder(this.folder)) return unlocked;
    let before: string | undefined;
    let unchanged = 0;
    for (let looks = 0; looks < patience; looks += 1) {
      const taken = create(file, mine);
      if (taken !== 'held') return taken === 'taken' ? this.turn(file, mine) : unlocked;
      const look = lookAt(file);
      if (look === 'foreign') {
        if (!remove(file)) return unlocked;
        continue;
      }
      unchanged = look?.state === before ? unchanged + 1 : 0;
      before = look?.state;
      if (look && (hasEnded(look.holder) || unchanged >= forgottenLooks)) takeAway(file, look.holder);
      await pause(lookMs);
    }
    return undefined;
  }

  private turn(file: string, mine: string): Turn {
    const isHeld = () => holderOf(file) === mine;
    const renewing = setInterval(() => {
      const now = new Date();
      if (isHeld()) attempt(() => utimesSync(file, now, now));
    }, this.pace.renewMs);
    return {
      isHeld,
      release: () => {
        clearInterval(renewing);
        if (isHeld()) remove(file);
      },
    };
  }
}

/** Creates the folder if it's missing, and makes it private. False for another user's folder and for a link. */
function isOwnFolder(folder: string): boolean {
  const own = attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || !isOwn(stats)) return false;
    // Windows has no such modes; there the folder lies in the user's own profile.
    if (process.getuid !== undefined && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  });
  return own ?? false;
}

function isOwn({ uid }: { uid: number }): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function create(file: string, mine: string): 'taken' | 'held' | 'impossible' {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'held' : 'impossible';
  }
  const isWritten = attempt(() => writeSync(handle, mine)) === Buffer.byteLength(mine);
  attempt(() => closeSync(handle));
  if (isWritten) return 'taken';
  // On a full disk, a file that names no holder would make every window wait for nobody.
  attempt(() => unlinkSync(file));
  return 'impossible';
}

/** More than `take` writes: a larger file is no lock. */
const longestHolder = 1_000;

/**
 * Who holds a lock, and a text that changes with every renewal. `foreign` for anything that no window of this user
 * created; undefined if it's gone.
 */
function lookAt(file: string): { holder: string; state: string } | 'foreign' | undefined {
  const stats = attempt(() => lstatSync(file));
  if (stats === undefined) return undefined;
  if (!stats.isFile() || !isOwn(stats) || stats.size > longestHolder) return 'foreign';
  const holder = holderOf(file);
  if (holder === undefined) return attempt(() => lstatSync(file)) && 'foreign';
  // A lock that was just created is empty until it's written.
  if (holder !== '' && !/^\d+ [\da-f-]{36} /.test(holder)) return 'foreign';
  return { holder, state: `${holder} ${stats.mtimeMs}` };
}

function holderOf(file: string): string | undefined {
  return attempt(() => readFileSync(file, 'utf8'));
}

/** True if the process that holds a lock is known to have ended. Process ids of another computer mean nothing here. */
function hasEnded(holder: string): boolean {
  const [pid, , ...host] = holder.split(' ');
  if (host.join(' ') !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Takes over the lock of a holder that is gone, unless another window was faster and the lock is new. */
function takeAway(file: string, holder: string): void {
  const aside = `${file}.${randomUUID()}`;
  attempt(() => renameSync(file, aside));
  if (holderOf(aside) !== holder) attempt(() => linkSync(aside, file));
  attempt(() => unlinkSync(aside));
}

/** Removes it; true if it's gone. Removes a folder only if it's empty. */
function remove(file: string): boolean {
  attempt(() => unlinkSync(file));
  attempt(() => rmdirSync(file));
  return attempt(() => lstatSync(file)) === undefined;
}

/** The result of `act`; undefined if the file system refuses. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
