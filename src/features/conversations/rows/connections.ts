import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import { ApiError, refusesKey } from '../../../api/http/errors';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { commandIds } from '../../../ids';
import { errorWords } from '../../../editor/errorText';
import type { Connection } from '../../../shared/connection';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import type { ListState } from '../../../core/lists/resourceList';
import type { StateIcon } from '../../../core/lists/stateIcons';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { noKeyWords } from '../../../core/rows/trouble';
import { countWords } from './list';

/** A connection with its rows. */
export interface ConnectionRows {
  connection: Connection;
  /** Undefined without a session key. */
  list: Pick<ListState<Conversation>, 'loaded' | 'nextPageId' | 'error'> | undefined;
  rows: Iterable<Row>;
  /** True for the connection that the window is on. */
  isHere?: boolean;
}

/** The row of a connection, with its conversations below. */
export function connectionRow({ connection, list, rows, isHere = false }: ConnectionRows): Row {
  const { name, baseUrl } = connection;
  const label = plainText(name, 80);
  const error = list?.error;
  const isOld = error !== undefined;
  const made = [...rows];
  const state = !list
    ? { words: noKeyWords(connection), icon: { name: 'key' } }
    : error
      ? troubleOf(error)
      : { ...countOf(list, made), icon: { name: 'plug' } };
  const here = isHere ? l10n.t('current') : undefined;
  const needsKey = !list || refusesKey(error);
  const command = needsKey
    ? !isHere
      ? commandIds.connectionSwitch
      : connection.authentication === 'signIn'
        ? commandIds.sessionSignIn
        : commandIds.sessionSetKey
    : error && commandIds.logsShow;
  return {
    ref: { kind: 'group', key: baseUrl },
    id: `connection/${baseUrl}`,
    label: rowLabel(label),
    description: joined(state.words, here),
    tooltip: tooltip(label, [
      [undefined, plainText(baseUrl, 200)],
      [l10n.t('State'), state.words],
      [undefined, error && errorWords(error)],
    ]),
    icon: state.icon,
    contextValue: 'connection',
    accessibilityLabel: [l10n.t('Connection {0}', label), state.said ?? state.words, here]
      .filter(Boolean)
      .join(', '),
    expanded: true,
    ...(command && { command }),
    children: isHere
      ? made.map((row) => dimmed(row, isOld))
      : made.map((row) => elsewhere(row, baseUrl, isOld)),
  };
}

interface StateWords {
  words: string;
  /** For a screen reader, if that differs. */
  said?: string;
}

/** Counts what stands below: not what is archived or filtered out. */
function countOf({ loaded }: NonNullable<ConnectionRows['list']>, rows: readonly Row[]): StateWords {
  if (!loaded) return { words: l10n.t('Loading…') };
  const count = conversationsIn(rows);
  const isMore = rows.some(({ ref }) => ref.kind === 'loadMore');
  return { words: isMore ? `${count}+` : String(count), said: countWords(count, isMore) };
}

const conversationsIn = (rows: readonly Row[] = []): number =>
  rows.reduce(
    (sum, { ref, children }) => sum + Number(ref.kind === 'conversation') + conversationsIn(children),
    0,
  );

function troubleOf(error: Error): StateWords & { icon: StateIcon } {
  if (refusesKey(error))
    return {
      words:
        error instanceof ApiError && error.signIn ? l10n.t('Not signed in') : l10n.t('Session key refused'),
      icon: { name: 'key', color: 'list.warningForeground' },
    };
  const status = error instanceof ApiError ? error.status : 200;
  const words =
    status === undefined
      ? l10n.t('Can’t be reached')
      : status < 300
        ? l10n.t('Answer can’t be read')
        : l10n.t('HTTP error {0}', status);
  return { words, icon: { name: 'debug-disconnect', color: 'list.warningForeground' } };
}

/** An icon that may be out of date neither turns nor stands out. */
const dimmedIcon = ({ name }: StateIcon): StateIcon => ({
  name: name.replace(/~spin$/, ''),
  color: 'disabledForeground',
});

function dimmed(row: Row, isOld: boolean): Row {
  if (!isOld) return row;
  return {
    ...row,
    ...(row.icon && { icon: dimmedIcon(row.icon) }),
    ...(row.children && { children: row.children.map((child) => dimmed(child, true)) }),
  };
}

const kept = new WeakMap<Row, { key: string; row: Row }>();

/** A row of another connection: what it refers to is there, whatever has the same id here. */
function elsewhere(row: Row, service: string, isOld: boolean): Row {
  const key = `${String(isOld)} ${service}`;
  const known = kept.get(row);
  if (known?.key === key) return known.row;
  const { ref, children } = row;
  const isRecord = ref.kind === 'conversation' || ref.kind === 'attempts' || ref.kind === 'loadMore';
  const made: Row = {
    ...dimmed({ ...row, children: [] }, isOld),
    ref: isRecord ? { ...ref, service } : ref,
    id: `${service}/${row.id}`,
    contextValue: ref.kind === 'conversation' ? `${row.contextValue}.elsewhere` : row.contextValue,
    children: (children ?? []).map((child) => elsewhere(child, service, isOld)),
  };
  kept.set(row, { key, row: made });
  return made;
}
