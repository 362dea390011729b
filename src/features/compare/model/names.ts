import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';

/** What distinguishes attempts, most telling first; empty if unknown. */
export interface AttemptNames {
  /** What it was started with that’s different. */
  readonly label: string;
  readonly model: string;
  readonly title: string;
}

/** A unique name for each attempt, in the order of the attempts. */
export function attemptNames(attempts: readonly AttemptNames[]): string[] {
  const named = attempts.map(({ label, model, title }) => ({
    name: plainText(label, 80) || plainText(model, 80),
    title: plainText(title, 80),
  }));
  const names = named.map(({ name }) => name);
  const titles = named.map(({ title }) => title);
  const isOnly = (name: string, among: readonly string[]) =>
    name !== '' && among.filter((one) => one === name).length === 1;
  const numbered = (name: string, at: number) => joined(name, l10n.t('Attempt {0}', at + 1));
  const found = named.map(({ name, title }, at) =>
    isOnly(name, names) ? name : isOnly(title, titles) ? title : numbered(name, at),
  );
  // An attempt’s title may be the topic of another one.
  return new Set(found).size === found.length ? found : names.map(numbered);
}
