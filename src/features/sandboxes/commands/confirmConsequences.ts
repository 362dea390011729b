import { confirmed } from '../../../editor/inputs';
import { sentences } from '../../../shared/joined';

/** Asks first if there are consequences; true if there are none, or the user agrees. */
export async function confirmConsequences(
  consequences: readonly string[],
  question: string,
  agree: string,
): Promise<boolean> {
  return consequences.length === 0 || confirmed(question, sentences(...consequences), agree);
}
