import * as l10n from '@vscode/l10n';
import { ApiError } from '../../api/http/errors';
import { duration } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import type { ListName, ServiceModel } from '../lists/serviceModel';
import type { Session } from '../session/session';

/** Why a list couldn't be read, in a few words. */
export function troubleWords(session: Session, error: Error): string {
  const name = plainText('connection' in session ? session.connection.name : '', 30);
  if (!(error instanceof ApiError)) return l10n.t('can’t read the answer from {0}', name);
  if (error.reason === 'unauthorized' || error.reason === 'forbidden') {
    return l10n.t('{0} refused the session key', name);
  }
  if (error.reason === 'rateLimited') return l10n.t('{0} is limiting requests', name);
  if (error.status === 500 && session.kind === 'ready' && session.neverSaved)
    return l10n.t('{0} fails until you save its settings once. Run Open Service Settings.', name);
  if (error.status === undefined) return l10n.t('can’t reach {0}', name);
  return error.status >= 400
    ? l10n.t('{0} returned an error (HTTP {1})', name, error.status)
    : l10n.t('can’t read the answer from {0}', name);
}

/**
 * True for a service that fails until its first settings are saved, as release 1.10 does: the views then have a button for
 * that in place of their rows.
 */
export function needsFirstSave(
  session: Session,
  model: Pick<ServiceModel, ListName | 'outOfDate'>,
  ...lists: readonly ListName[]
): boolean {
  if (session.kind !== 'ready' || !session.neverSaved) return false;
  return lists.some((list) => {
    const error = model[list].state.loaded ? undefined : model.outOfDate(list)?.error;
    return error instanceof ApiError && error.status === 500;
  });
}

/** In the order of the side bar. */
const views: readonly ListName[] = ['conversations', 'sandboxes', 'specs', 'workspaces'];

/**
 * The line above a list: why its rows are out of date or missing. Undefined if nothing is wrong, or if the view's
 * welcome text or another visible view says it already.
 */
export function listMessage(
  session: Session,
  model: Pick<ServiceModel, ListName | 'outOfDate' | 'shows'>,
  view: ListName,
  now: number,
): string | undefined {
  const words = (one: ListName) => {
    const trouble = model.outOfDate(one);
    if (!trouble || (!model[one].state.loaded && 'error' in session)) return undefined;
    if (needsFirstSave(session, model, one)) return undefined;
    const why = troubleWords(session, trouble.error);
    if (!model[one].state.loaded) return l10n.t('Couldn’t load: {0}', why);
    const how = trouble.since === undefined ? undefined : duration(now - trouble.since);
    return how === undefined ? l10n.t('Out of date: {0}', why) : l10n.t('Out of date: {0}, {1}', why, how);
  };
  const mine = words(view);
  const teller = views.find((one) => model.shows(one) && words(one) === mine);
  return teller === undefined || teller === view ? mine : undefined;
}
