import * as vscode from 'vscode';
import { badgeScheme } from '../ids';

/** The address of a row with this badge: the editor asks for a row’s badge by its address. */
export const badgeUri = (badge: string) => vscode.Uri.from({ scheme: badgeScheme, path: `/${badge}` });

/** Shows the badges of rows. */
export const rowBadges: vscode.FileDecorationProvider = {
  provideFileDecoration: ({ scheme, path }) =>
    scheme === badgeScheme ? new vscode.FileDecoration(path.slice(1)) : undefined,
};
