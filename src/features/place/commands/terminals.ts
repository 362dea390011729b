import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { systemClock } from '../../../api/http/clock';
import { Refusal } from '../../../core/basics/refusal';
import type { Holding } from '../../../core/lists/conversationAt';
import { errorWords } from '../../../editor/errorText';
import { isOn } from '../../../editor/settings';
import { settingIds } from '../../../ids';
import type { ConversationModels } from '../../live';
import { TerminalSession } from '../model/terminalSession';

/** Of which conversation a terminal is, and what it’s called. */
const keptSchema = z.object({
  conversation: z.string(),
  service: z.string(),
  name: z.string(),
  /** Its shell. */
  id: z.optional(z.string()),
});
type Kept = z.infer<typeof keptSchema>;

interface Open {
  kept: Kept;
  session: TerminalSession;
  holding: Holding;
}

/** Where the terminals of this window are kept, for the next one. */
interface Store {
  read: () => unknown;
  write: (kept: readonly Kept[]) => void;
}

/** The terminals in sandboxes that this window shows. They come back with it, with the same shells. */
export class Terminals implements vscode.Disposable {
  readonly icon = new vscode.ThemeIcon('terminal');
  private readonly open = new Map<vscode.Pseudoterminal, Open>();
  private readonly following: vscode.Disposable;

  constructor(
    private readonly conversations: Pick<ConversationModels, 'model' | 'hold'>,
    private readonly store: Store,
  ) {
    const { window } = vscode;
    this.following = vscode.Disposable.from(
      window.onDidCloseTerminal((terminal) => void this.closed(terminal)),
      window.onDidChangeActiveTerminal(() => this.look()),
      window.onDidChangeWindowState(() => this.look()),
    );
  }

  /** Whether a terminal of this window shows a shell. */
  shows(id: string): boolean {
    return [...this.open.values()].some(({ kept }) => kept.id === id);
  }

  /** What the editor makes a terminal with. @param id of a shell that runs already */
  create(of: Omit<Kept, 'id'>, id?: string): vscode.ExtensionTerminalOptions {
    return {
      name: of.name,
      iconPath: this.icon,
      pty: this.terminal({ ...of, ...(id !== undefined && { id }) }),
    };
  }

  /** Shows the shells again that the window showed before it was reloaded. */
  restore(): void {
    const stored = this.store.read();
    for (const one of Array.isArray(stored) ? stored : []) {
      const { data } = keptSchema.safeParse(one);
      if (data?.id !== undefined && !this.shows(data.id))
        vscode.window.createTerminal(this.create(data, data.id));
    }
  }

  dispose(): void {
    this.following.dispose();
    for (const { session, holding } of this.open.values()) {
      session.close();
      holding.dispose();
    }
    this.open.clear();
  }

  private terminal(kept: Kept): vscode.Pseudoterminal {
    const { conversation, service } = kept;
    const written = new vscode.EventEmitter<string>();
    const closing = new vscode.EventEmitter<number>();
    const holding = this.conversations.hold(service);
    const model = () => {
      const found = this.conversations.model(conversation, service);
      if (!found) throw new Refusal(l10n.t('This window has no connection to the service of this terminal.'));
      return found;
    };
    const session = new TerminalSession(
      {
        reach: async () => {
          await holding.reached;
          return model().changes.place();
        },
        clock: systemClock,
        isAsleep: () => this.conversations.model(conversation, service)?.head.limit === 'asleep',
        resume: () => model().changes.place(() => undefined),
        isFocused: () => vscode.window.state.focused,
        keepsRunning: () => isOn(settingIds.keepRunning),
        describe: errorWords,
        changed: (id) => {
          kept.id = id;
          this.keep();
        },
      },
      { write: (text) => written.fire(text), close: (exitCode) => closing.fire(exitCode) },
      kept.id,
    );
    const pty: vscode.Pseudoterminal = {
      onDidWrite: written.event,
      onDidClose: closing.event,
      open: (size) => session.open(size && sizeOf(size)),
      // What becomes of the shell depends on why: the editor closes it when the window is reloaded, too.
      close: () => undefined,
      handleInput: (text) => session.type(text),
      setDimensions: (size) => session.resize(sizeOf(size)),
    };
    this.open.set(pty, { kept, session, holding });
    return pty;
  }

  private async closed(terminal: vscode.Terminal): Promise<void> {
    const { creationOptions: options, exitStatus } = terminal;
    const pty = 'pty' in options ? options.pty : undefined;
    const open = pty && this.open.get(pty);
    if (!open || exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    this.open.delete(pty);
    this.keep();
    const { session, kept, holding } = open;
    try {
      if (kept.id === undefined || isOn(settingIds.keepRunning)) return;
      if (exitStatus?.reason === vscode.TerminalExitReason.User && (await session.isBusy())) {
        const [end, reopen] = [l10n.t('End Program'), l10n.t('Reopen Terminal')];
        const picked = await vscode.window.showWarningMessage(
          l10n.t(
            'A program still runs in “{0}”. It ends in 10 minutes unless you reopen the terminal.',
            kept.name,
          ),
          end,
          reopen,
        );
        if (picked === reopen) vscode.window.createTerminal(this.create(kept, kept.id)).show();
        if (picked !== end) return;
      }
      await session.end();
    } finally {
      session.close();
      holding.dispose();
    }
  }

  /** Who looks at a terminal sees at once what happens there. */
  private look(): void {
    const active = vscode.window.activeTerminal?.creationOptions;
    const pty = active && 'pty' in active ? active.pty : undefined;
    for (const [one, { session }] of this.open) session.watch(one === pty && vscode.window.state.focused);
  }

  private keep(): void {
    this.store.write([...this.open.values()].flatMap(({ kept }) => (kept.id === undefined ? [] : [kept])));
  }
}

const sizeOf = ({ columns: cols, rows }: vscode.TerminalDimensions) => ({ cols, rows });
