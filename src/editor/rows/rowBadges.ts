import * as vscode from 'vscode';
import { badgeScheme } from '../../ids';

const isNewQuery = 'new';

/** The address of a row with this badge: the editor asks for a row’s badge and color by its address. */
export const badgeUri = (badge: string, isNew: boolean) =>
  vscode.Uri.from({ scheme: badgeScheme, path: `/${badge}`, query: isNew ? isNewQuery : '' });

/** Shows the badges of rows, and colors the rows that are new. */
export const rowBadges: vscode.FileDecorationProvider = {
  provideFileDecoration: ({ scheme, path, query }) => {
    if (scheme !== badgeScheme) return undefined;
    const color = query === isNewQuery ? new vscode.ThemeColor('list.highlightForeground') : undefined;
    return new vscode.FileDecoration(path.slice(1), undefined, color);
  },
};
