import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { extensionId } from '../../../ids';
import { conversationLink } from '../../../shared/conversationLink';
import { chooseRow, type RowNeeds } from '../../targets/editor';

/** Copy Link: copies a link that opens the conversation in the editor of anybody who uses the same service. */
export function copyLink(needs: RowNeeds): Handler {
  return async (argument) => {
    const answer = await chooseRow(needs, argument, { title: l10n.t('Copy Link') });
    if (!answer) return;
    const { client, chosen } = answer;
    const link = conversationLink(client.baseUrl, chosen.id);
    await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}/${link}`);
  };
}
