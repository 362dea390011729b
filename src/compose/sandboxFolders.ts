import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type OpenFolder, SandboxFolders } from '../features/place/commands/files/sandboxFolders';
import { SearchResults } from '../features/place/commands/files/searchResults';
import { ServedPages } from '../features/place/commands/servedPages';
import { titleOf } from '../features/live/editor';
import { tellFailed } from '../features/targets/editor';
import { unlessCanceled } from '../editor/progress';
import { lazily } from '../lazily';
import type { Connection } from '../shared/connection';
import { Refusal } from '../core/basics/refusal';
import { mayChangeFiles, SandboxFiles, folderAddress } from '../features/place';
import type { Own } from './panels';
import type { ConversationModel, ConversationModels } from '../features/live';

/**
 * Limits how often the agent’s changes are looked for: this many times at once, and once more after each interval, in
 * milliseconds. Each look is a command or two, which the server stores.
 */
const looks = { atOnce: 20, everyMs: 60_000 };
/** Changes within this many milliseconds are looked for together. */
const togetherMs = 300;

/** What the commands on files in sandboxes work with. */
export const placeFolders = (own: Own, ...needs: Parameters<typeof sandboxFolders>) => ({
  sandboxFolders: own(sandboxFolders(...needs)),
  searchResults: lazily(() => Promise.resolve(own(new SearchResults()))),
  servedPages: lazily(() => Promise.resolve(own(new ServedPages()))),
});

/** The folders of sandboxes that are open in the editor, each kept until the end. */
function sandboxFolders(
  conversations: ConversationModels,
  listConnections: () => readonly Connection[],
): SandboxFolders {
  const opened = new Map<string, OpenFolder>();
  const folders = new SandboxFolders((authority) => {
    const known = opened.get(authority) ?? open(authority);
    opened.set(authority, known);
    return known;
  });

  function open(authority: string): OpenFolder {
    const address = folderAddress(authority);
    const connection = listConnections().find(({ name }) => name.toLowerCase() === address?.connection);
    if (!address || !connection)
      throw new Refusal(l10n.t('This folder’s connection isn’t in your settings.'));
    const { baseUrl, name } = connection;
    const { reached } = conversations.hold(baseUrl);
    const model = () => {
      const found = conversations.model(address.conversation, baseUrl);
      if (!found)
        throw new Refusal(l10n.t('This window isn’t connected to “{0}” yet. Try again in a moment.', name));
      return found;
    };
    const known = new WeakSet<ConversationModel>();
    const files = new SandboxFiles(
      async () => {
        await reached;
        const found = model();
        if (!known.has(found))
          found.onDidChange(() => {
            if (found.head.limit === 'asleep') files.giveUp();
          });
        known.add(found);
        return found.changes.place();
      },
      () => performance.now(),
      (isReachable) => {
        void folders.reached(authority);
        if (!isReachable) void tellUnreachable(model(), () => void folders.reached(authority));
      },
      () => conversations.model(address.conversation, baseUrl)?.head.limit === 'asleep',
    );
    return {
      files,
      follow: (changed) => {
        let following: vscode.Disposable | undefined;
        let isOver = false;
        void reached.then(() => {
          const found = conversations.model(address.conversation, baseUrl);
          if (found && !isOver) following = follow(found, changed);
        });
        return new vscode.Disposable(() => {
          isOver = true;
          following?.dispose();
        });
      },
    };
  }

  return folders;
}

/** Says that files are as they were, and offers to resume the sandbox if that is what is missing. */
async function tellUnreachable(model: ConversationModel, resumed: () => void): Promise<void> {
  if (model.head.limit !== 'asleep') return;
  const resume = l10n.t('Resume');
  const words = l10n.t(
    'The sandbox is paused. Its files are shown as they were last read, and can’t be changed.',
  );
  if ((await vscode.window.showInformationMessage(words, resume)) !== resume) return;
  await unlessCanceled(l10n.t('Resuming the sandbox…'), () => model.changes.place(() => undefined)).then(
    (place) => place && resumed(),
    (error: unknown) => tellFailed(l10n.t('Couldn’t resume {0}.', titleOf(model)), error),
  );
}

/** Calls back soon after the agent did something that may have changed files, while the window has the focus. */
function follow(model: ConversationModel, changed: () => void): vscode.Disposable {
  let [left, countedAt, isDue] = [looks.atOnce, performance.now(), false];
  let timer: NodeJS.Timeout | undefined;
  const known = new WeakSet(model.entries);
  const look = () => {
    timer = undefined;
    const now = performance.now();
    left = Math.min(looks.atOnce, left + (now - countedAt) / looks.everyMs);
    countedAt = now;
    if (!isDue || !vscode.window.state.focused) return;
    if (left < 1) {
      timer = setTimeout(look, (1 - left) * looks.everyMs);
      return;
    }
    isDue = false;
    left -= 1;
    changed();
  };
  // What comes together is looked for once.
  const plan = () => (timer ??= setTimeout(look, togetherMs));
  const current = model.keepCurrent();
  const listening = model.onDidChange(() => {
    // Steps that end at the same time aren’t all at the end.
    const next = model.entries.filter((entry) => !known.has(entry));
    for (const entry of next) known.add(entry);
    if (!next.some(mayChangeFiles)) return;
    isDue = true;
    plan();
  });
  const focus = vscode.window.onDidChangeWindowState(plan);
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const held of [current, listening, focus]) held.dispose();
  });
}
