import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askMany, askPick, back, type Answer } from '../../../editor/inputs';
import { attempts, areComparable, type Variant } from '../model/attempts';

/** The attempts that a message starts, as they are being selected. */
export interface AttemptsDraft {
  variants: readonly Variant[];
}

/** What attempts can differ in. */
export interface AttemptDifference {
  kind: 'model' | 'agent';
  label: string;
  detail: string;
  placeholder: string;
  items: readonly (vscode.QuickPickItem & { variant: Variant })[];
}

type Way = vscode.QuickPickItem & { difference?: AttemptDifference };

/**
 * Asks how many attempts to start, and in what they differ.
 * @param read what they can differ in: what offers less than two isn’t shown
 */
export async function askAttempts(
  draft: AttemptsDraft,
  read: () => Promise<readonly AttemptDifference[]>,
): Promise<Answer<unknown>> {
  const differences = (await read()).filter(({ items }) => items.length >= attempts.least);
  for (;;) {
    const way = await askPick<Way>({
      title: title(),
      canGoBack: draft.variants.length > 0,
      placeholder: l10n.t('Select what differs between the attempts'),
      items: [
        ...differences.map((difference) => ({
          label: difference.label,
          detail: difference.detail,
          iconPath: new vscode.ThemeIcon(difference.kind === 'model' ? 'sparkle' : 'hubot'),
          difference,
        })),
        {
          label: l10n.t('Nothing'),
          detail: l10n.t('The same task several times, because agents rarely do the same twice'),
          iconPath: new vscode.ThemeIcon('copy'),
        },
      ],
    });
    if (typeof way !== 'object') return way;
    const { difference } = way;
    const variants = difference ? await askVariants(difference) : await askCount();
    if (variants === undefined) return undefined;
    if (typeof variants !== 'object') continue;
    draft.variants = variants;
    return variants;
  }
}

const title = () => l10n.t('Start several attempts');

async function askVariants({ placeholder, items }: AttemptDifference): Promise<Answer<readonly Variant[]>> {
  let picked = new Set<string>();
  for (let words = placeholder; ; words = l10n.t('Select {0} to {1}', attempts.least, attempts.most)) {
    const offered = items.map((item) => ({ ...item, picked: picked.has(item.label) }));
    const answer = await askMany({ title: title(), canGoBack: true, placeholder: words, items: offered });
    if (typeof answer !== 'object') return answer;
    if (areComparable(answer.length)) return answer.map(({ variant }) => variant);
    picked = new Set(answer.map(({ label }) => label));
  }
}

async function askCount(): Promise<Answer<readonly Variant[]>> {
  const counts = Array.from({ length: attempts.most - attempts.least + 1 }, (_, at) => attempts.least + at);
  const answer = await askPick({
    title: title(),
    canGoBack: true,
    placeholder: l10n.t('Select how many attempts to start'),
    items: counts.map((count) => ({ label: l10n.t('{0} attempts', count), count })),
  });
  if (typeof answer !== 'object') return answer;
  return Array.from({ length: answer.count }, (_, at) => ({ label: l10n.t('Attempt {0}', at + 1) }));
}

/** The attempts in one line. */
export const attemptsWords = ({ variants }: AttemptsDraft): string =>
  `${variants.length}: ${variants.map(({ label }) => label).join(', ')}`;

/** Whether attempts differ in something that can otherwise be selected for all. */
export const differIn = (draft: AttemptsDraft | undefined, part: keyof Variant): boolean =>
  draft?.variants.some((variant) => variant[part] !== undefined) === true;

/** Instead of asking for what differs between attempts. */
export const stay = () => Promise.resolve(back);
