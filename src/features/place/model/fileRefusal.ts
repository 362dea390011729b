import * as l10n from '@vscode/l10n';
import { programWords } from '../../../shared/thrown';
import { Refusal } from '../../../core/basics/refusal';
import type { exits } from './fileScripts';

/** An operation that the sandbox refused; the message says why. Nothing was changed. */
export class FileRefusal extends Refusal {
  constructor(readonly reason: keyof typeof exits | 'tooLarge' | 'tooLargeToSave') {
    super(words[reason]());
  }
}

/** Words for a script that didn’t finish. */
export function failed(exitCode: number, output: string): Refusal {
  if (exitCode === -1)
    return new Refusal(l10n.t('The sandbox took too long to answer. Check the file before trying again.'));
  const reason = programWords(output.trim().split('\n').at(-1) ?? '', 200);
  return new Refusal(
    l10n.t(
      'The sandbox’s shell failed: {0}. Check the file before trying again.',
      reason || String(exitCode),
    ),
  );
}

const words: Record<FileRefusal['reason'], () => string> = {
  missing: () => l10n.t('The file isn’t in the sandbox anymore.'),
  changed: () => l10n.t('The agent changed this file after you opened it.'),
  noRight: () => l10n.t('The sandbox’s user isn’t allowed to do this.'),
  exists: () => l10n.t('A file with this name is in the sandbox already.'),
  noFolder: () => l10n.t('This isn’t a folder.'),
  isFolder: () => l10n.t('This is a folder.'),
  noFile: () => l10n.t('This isn’t a file.'),
  noSpace: () => l10n.t('The sandbox’s disk is full. The file there is unchanged.'),
  readOnly: () => l10n.t('The sandbox’s disk is read-only. Nothing was changed.'),
  tooLong: () => l10n.t('The name is too long for the sandbox’s disk. Use a shorter one.'),
  outside: () => l10n.t('This is outside the agent’s folder. Nothing was changed.'),
  notEmpty: () => l10n.t('The folder isn’t empty.'),
  noHash: () => l10n.t('The sandbox has no program for checksums, so files there can’t be saved safely.'),
  tooLarge: () => l10n.t('The file is too large to open.'),
  tooLargeToSave: () => l10n.t('The file is larger than 100 MB. Nothing was changed in the sandbox.'),
};
