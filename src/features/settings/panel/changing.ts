import * as l10n from '@vscode/l10n';
import { errorWords } from '../../../editor/errorText';
import { errorLines } from '../../../editor/logLine';
import { SettingsDocument } from '../model/document';
import type { Ending, FormHost } from './formHost';
import { editsOn, type OpenForm } from './openForm';

/**
 * Changes the service, blocking all other changes of the form, and shows how that ended.
 * @param words what's being done
 * @param unexpected the ending if `work` fails unexpectedly; the error goes to the log
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
 * The ending of a change that altered the service's settings: the new ones, with the form's edits on them.
 * @param known what the service has, if it was read
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
