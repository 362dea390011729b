import * as l10n from '@vscode/l10n';
import { ApiError, type ErrorReason, refusesKey } from '../../api/http/errors';
import type { Connection } from '../../shared/connection';
import { duration } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import type { ListName, ServiceModel } from '../lists/serviceModel';
import type { Session } from '../session/session';

/** Why a list couldn't be read, in a few words. */
export function troubleWords(session: Session, error: Error): string {
  const name = plainText('connection' in session ? session.connection.name : '', 30);
  if (!(error instanceof ApiError)) return l10n.t('can’t read the answer from {0}', name);
  if (error.signIn) return l10n.t('not signed in to {0}', name);
  if (refusesKey(error)) return l10n.t('{0} refused the session key', name);
  if (error.reason === 'rateLimited') return l10n.t('{0} is limiting requests', name);
  if (error.status === 500 && session.kind === 'ready' && session.neverSaved)
    return l10n.t('{0} fails until you save its settings once. Run Open Service Settings.', name);
  if (error.status === undefined) return l10n.t('can’t reach {0}', name);
  if (error.status < 400) return l10n.t('can’t read the answer from {0}', name);
  return error.status < 500
    ? l10n.t('{0} rejected the request (HTTP {1})', name, error.status)
    : l10n.t('{0} returned an error (HTTP {1})', name, error.status);
}

/** What a connection without a key says: who signs in has never seen one. */
export const noKeyWords = ({ authentication }: Connection): string =>
  authentication === 'signIn' ? l10n.t('Not signed in') : l10n.t('No session key on this computer');

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

/** Why a list that was never read can’t be, as the welcome texts tell it; `unreachable` for all others. */
const kinds: Partial<Record<ErrorReason, string>> = {
  unauthorized: 'refused',
  forbidden: 'refused',
  notFound: 'missing',
  methodNotAllowed: 'missing',
  invalid: 'rejected',
  conflict: 'rejected',
  payloadTooLarge: 'rejected',
  unexpectedStatus: 'rejected',
  rateLimited: 'rateLimited',
  serverError: 'serverError',
  redirected: 'redirected',
  notService: 'unreadable',
  badShape: 'unreadable',
  truncated: 'unreadable',
  tooLarge: 'unreadable',
};

/** Why a list was never read, as its view’s welcome text tells it. */
export const troubleKind = (error: Error): string =>
  error instanceof ApiError ? (kinds[error.reason] ?? 'unreachable') : 'unreadable';

/**
 * The views whose welcome text says why their list was never read, each with the kind of it, such as
 * `conversations=rejected`. The first visible one says it for all; undefined for none.
 */
export function listTroubles(
  session: Session,
  model: Pick<ServiceModel, ListName | 'outOfDate' | 'shows'>,
): string | undefined {
  if ('error' in session) return undefined;
  const told = new Map<string, ListName>();
  for (const view of views) {
    const error = model[view].state.loaded ? undefined : model.outOfDate(view)?.error;
    if (!error || !model.shows(view) || needsFirstSave(session, model, view)) continue;
    const kind = troubleKind(error);
    if (!told.has(kind)) told.set(kind, view);
  }
  return [...told].map(([kind, view]) => `${view}=${kind}`).join() || undefined;
}

/**
 * The line above a list: why its rows are out of date. Undefined if nothing is wrong, if there were never any, which the
 * view's welcome text explains, or if another visible view says it already.
 */
export function listMessage(
  session: Session,
  model: Pick<ServiceModel, ListName | 'outOfDate' | 'shows'>,
  view: ListName,
  now: number,
): string | undefined {
  const words = (one: ListName) => {
    const trouble = model.outOfDate(one);
    if (!trouble || !model[one].state.loaded) return undefined;
    const why = troubleWords(session, trouble.error);
    const how = trouble.since === undefined ? undefined : duration(now - trouble.since);
    return how === undefined ? l10n.t('Out of date: {0}', why) : l10n.t('Out of date: {0}, {1}', why, how);
  };
  const mine = words(view);
  const teller = views.find((one) => model.shows(one) && words(one) === mine);
  return teller === undefined || teller === view ? mine : undefined;
}
