import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Refusal } from '../../../../core/basics/refusal';
import type { ConfiguredConnections } from '../../../../editor/connectionEntries';
import { unlessCanceled } from '../../../../editor/progress';
import { filesScheme } from '../../../../ids';
import { type Live, type LiveNeeds, titleOf } from '../../../live/editor';
import { authorityOf } from '../../model/folderAddress';
import { conversationFor } from '../conversationFor';
import type { SandboxFolders } from './sandboxFolders';

export type FolderNeeds = LiveNeeds & {
  listConnections: () => ConfiguredConnections;
  sandboxFolders: SandboxFolders;
};

/** A folder of a sandbox. */
interface ChosenFolder {
  uri: vscode.Uri;
  /** Its name for people. */
  name: string;
}

export const isInSandbox = (argument: unknown): argument is vscode.Uri =>
  argument instanceof vscode.Uri && argument.scheme === filesScheme && argument.query === '';

/**
 * The folder that a menu of the editor was opened on. Otherwise, the agent’s folder of the row’s conversation, or of
 * one that the user selects; undefined if they cancel.
 */
export async function chooseSandboxFolder(
  needs: FolderNeeds,
  argument: unknown,
  title: string,
): Promise<ChosenFolder | undefined> {
  if (isInSandbox(argument)) return { uri: argument, name: nameOfPath(argument) };
  const live = await conversationFor(needs, argument, title);
  const uri = live && (await folderOf(needs, live));
  return uri && { uri, name: titleOf(live.model) };
}

/** @param found what to answer instead, by the place that was found; undefined for the folder’s address */
export function folderOf(
  { listConnections }: Pick<FolderNeeds, 'listConnections'>,
  { model, service }: Live,
  found: (place: Awaited<ReturnType<typeof model.changes.place>>) => Promise<vscode.Uri | undefined> = () =>
    Promise.resolve(undefined),
): Promise<vscode.Uri | undefined> {
  return unlessCanceled(l10n.t('Opening the sandbox’s folder…'), async (report) => {
    const place = await model.changes.place(() => report(l10n.t('Resuming the sandbox…')));
    const instead = await found(place);
    if (instead) return instead;
    const connection = listConnections().connections.find(({ baseUrl }) => baseUrl === service);
    if (!connection) throw new Refusal(l10n.t('This folder’s connection isn’t in your settings.'));
    const authority = authorityOf(connection.name, model.id);
    return vscode.Uri.from({ scheme: filesScheme, authority, path: place.workingDir });
  });
}

/** The last part of a path. */
export const nameOfPath = ({ path }: { path: string }): string => path.slice(path.lastIndexOf('/') + 1);
