import * as l10n from '@vscode/l10n';
import { errorWords } from '../../platform/errorText';
import { errorLines } from '../../platform/logLine';
import { SettingsDocument } from '../../state/settings/document';
import type { Ending, FormHost } from './formHost';
import { editsOn, type OpenForm } from './openForm';

/**
 * Changes the service, while nothing else of the form may, and shows how that ended.
 * @param words what goes on
 * @param unexpected the ending if `work` fails unexpectedly, which the log tells
 */
export async function changing(
  host: FormHost,
  open: OpenForm,
  words: string,
  unexpected: Ending,
  work: () => Promise<Ending>,
): Promise<Ending> {
  open.working = words;
  host.show();
  let ending = unexpected;
  try {
    ending = await work();
  } catch (error) {
    host.ports.log.error(`A change of the settings failed: ${errorLines(error)}`);
  }
  open.working = null;
  host.settle(open, ending);
  return ending;
}

/**
 * The end of a change after which the service holds something else: that, with the form's edits on it.
 * @param known what the service holds, if it was read
 * @param without id of a server that left the service
 */
export async function readAgain(
  { ports }: FormHost,
  open: OpenForm,
  known?: SettingsDocument,
  without?: string,
): Promise<Ending & { notices: readonly string[] }> {
  let document = known;
  try {
    document ??= await SettingsDocument.load(open.client, ports.safeguards);
  } catch (error) {
    return { notices: [l10n.t('Couldn’t reload the settings from the service. {0}', errorWords(error))] };
  }
  const { edits, words } = editsOn(document, open, without);
  return { document, edits, notices: words };
}
