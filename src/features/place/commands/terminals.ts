import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { systemClock } from '../../../api/http/clock';
import { Refusal } from '../../../core/basics/refusal';
import type { Disposable } from '../../../core/basics/emitter';
import { errorWords } from '../../../editor/errorText';
import { isOn } from '../../../editor/settings';
import { settingIds } from '../../../ids';
import type { ConversationModels } from '../../live';
import { TerminalSession } from '../model/terminalSession';

/** The conversation that a terminal belongs to, and its name. */
const keptSchema = z.object({
  conversation: z.string(),
  service: z.string(),
  name: z.string(),
  /** Its shell. */
  id: z.optional(z.string()),
  /** Whether it’s the last one that the user looked at. */
  isInFront: z.optional(z.boolean()),
});
type Kept = z.infer<typeof keptSchema>;

interface Open {
  kept: Kept;
  session: TerminalSession;
  /** Lets go of the conversation. */
  release: () => void;
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
  /** Comes to the front as soon as terminals are on screen: the editor restores its own before. */
  private front: vscode.Terminal | undefined;

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

  /**
   * What the editor creates a terminal from.
   * @param id of a shell that runs already
   */
  create(of: Omit<Kept, 'id' | 'isInFront'>, id?: string): vscode.ExtensionTerminalOptions {
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
      if (data?.id === undefined || this.shows(data.id)) continue;
      const terminal = vscode.window.createTerminal(this.create(data, data.id));
      if (data.isInFront === true) this.front = terminal;
    }
  }

  dispose(): void {
    this.following.dispose();
    for (const { session, release } of this.open.values()) {
      session.close();
      release();
    }
    this.open.clear();
  }

  private terminal(kept: Kept): vscode.Pseudoterminal {
    const { conversation, service } = kept;
    const written = new vscode.EventEmitter<string>();
    const closing = new vscode.EventEmitter<number>();
    const holding = this.conversations.hold(service);
    let following: Disposable | undefined;
    const isAsleep = () => this.conversations.model(conversation, service)?.head.limit === 'asleep';
    const model = () => {
      const found = this.conversations.model(conversation, service);
      if (!found) throw new Refusal(l10n.t('This window has no connection to the service of this terminal.'));
      following?.dispose();
      following = found.onDidChange(() => {
        if (isAsleep()) session.giveUp();
      });
      return found;
    };
    const session = new TerminalSession(
      {
        reach: async () => {
          await holding.reached;
          return model().changes.place();
        },
        clock: systemClock,
        isAsleep,
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
      open: (size) => {
        if (size) this.bringToFront(pty);
        session.open(size && sizeOf(size));
      },
      // Whether the shell ends depends on the reason: the editor also closes terminals when the window is reloaded.
      close: () => undefined,
      handleInput: (text) => session.type(text),
      setDimensions: (size) => session.resize(sizeOf(size)),
    };
    const release = () => {
      holding.dispose();
      following?.dispose();
    };
    this.open.set(pty, { kept, session, release });
    return pty;
  }

  private async closed(terminal: vscode.Terminal): Promise<void> {
    const { exitStatus } = terminal;
    const pty = ptyOf(terminal);
    const open = pty && this.open.get(pty);
    if (!open || exitStatus?.reason === vscode.TerminalExitReason.Shutdown) return;
    this.open.delete(pty);
    this.keep();
    const { session, kept, release } = open;
    try {
      if (kept.id === undefined || isOn(settingIds.keepRunning)) return;
      if (exitStatus?.reason === vscode.TerminalExitReason.User && (await session.isBusy())) {
        const [end, reopen] = [l10n.t('End Program'), l10n.t('Reopen Terminal')];
        const picked = await vscode.window.showWarningMessage(
          l10n.t(
            'A program is still running in “{0}”. It ends in 10 minutes unless you reopen the terminal.',
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
      release();
    }
  }

  /** Tells each terminal whether the user is looking at it. */
  private look(): void {
    const { activeTerminal: active, state } = vscode.window;
    const pty = active && ptyOf(active);
    for (const [one, { session }] of this.open) session.watch(one === pty && state.focused);
    // While the window closes, none is active.
    if (!active) return;
    for (const [one, { kept }] of this.open) kept.isInFront = one === pty;
    this.keep();
  }

  private bringToFront(pty: vscode.Pseudoterminal): void {
    const { front } = this;
    if (!front || ptyOf(front) !== pty) return;
    this.front = undefined;
    front.show(true);
  }

  private keep(): void {
    this.store.write([...this.open.values()].flatMap(({ kept }) => (kept.id === undefined ? [] : [kept])));
  }
}

const ptyOf = ({ creationOptions: options }: vscode.Terminal) => ('pty' in options ? options.pty : undefined);

const sizeOf = ({ columns: cols, rows }: vscode.TerminalDimensions) => ({ cols, rows });
