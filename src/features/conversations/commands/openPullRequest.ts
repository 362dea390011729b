import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSettingsNotFound } from '../../../api/http/errors';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { hasPullRequestPage, providerOf, type PullRequest, pullRequests } from '../../../core/pullRequest';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { openAddress } from '../../../editor/openAddress';
import { showError } from '../../../editor/progress';
import { chooseRow, type RowNeeds } from '../../targets/editor';

/** Open Pull Request: the page of a conversation's pull request at its git provider. */
export function openPullRequest(needs: RowNeeds): Handler {
  return async (argument) => {
    const answer = await chooseRow(needs, argument, {
      title: l10n.t('Open Pull Request'),
      fits: hasPullRequestPage,
      none: l10n.t('No conversations with a pull request.'),
    });
    if (!answer) return;
    try {
      const { client, chosen } = answer;
      const pages = pullRequests(chosen, await hostOf(client, chosen));
      if (pages.length === 0)
        void vscode.window.showWarningMessage(
          l10n.t('The service has no usable host for this git provider. Set it in the service’s settings.'),
        );
      const page = await choose(pages);
      if (page) await openAddress(new URL(page.url));
    } catch (error) {
      await showError(l10n.t('Couldn’t look up the address of the pull request.'), error);
    }
  };
}

/** The provider's host in the service's settings; null for the public one, undefined where that isn't known. */
async function hostOf(client: ApiClient, conversation: Conversation): Promise<string | null | undefined> {
  try {
    const { provider_tokens_set: hosts } = await client.getSettings();
    const provider = providerOf(conversation);
    return provider && hosts?.[provider];
  } catch (error) {
    if (isSettingsNotFound(error)) return undefined;
    throw error;
  }
}

async function choose(pages: readonly PullRequest[]): Promise<PullRequest | undefined> {
  if (pages.length <= 1) return pages[0];
  const picked = await askPick({
    title: l10n.t('Open Pull Request'),
    placeholder: l10n.t('Select a pull request'),
    items: pages.map((page) => ({ page, label: `#${page.number}` })),
  });
  return typeof picked === 'object' ? picked.page : undefined;
}
