import { Refusal } from '../basics/refusal';
import type { TranscriptPorts } from './ports';
import { words } from './words';

/** Milliseconds between two looks at a sandbox that resumes, and how long to look. */
const lookMs = 3_000;
const patienceMs = 180_000;

/**
 * Resumes a paused sandbox, and waits until its agent server is there. Throws a Refusal if that takes too long, and
 * ApiError.
 * @param locate looks; resolves to whether the agent server is there
 */
export async function wakeSandbox(
  { client, after, now }: Pick<TranscriptPorts, 'client' | 'after' | 'now'>,
  sandboxId: string,
  locate: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const began = now();
  await client.resumeSandbox(sandboxId, signal);
  while (!(await locate())) {
    if (now() - began > patienceMs || signal.aborted) throw new Refusal(words.tooSlow());
    await new Promise<void>((resolve) => after(lookMs, resolve));
  }
}
