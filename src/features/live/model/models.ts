import type { ConversationAt, Holding } from '../../../core/lists/conversationAt';
import type { Disposable } from '../../../core/basics/emitter';
import type { ConversationModel } from './model';

/** The form of a transcript that leaves the panel. */
export type TranscriptFormat = 'markdown' | 'json';

/** The models of conversations, one for each conversation of a window. A service is named by its base URL. */
export interface ConversationModels {
  /** The connected service; undefined without a connection. */
  readonly service: string | undefined;
  /**
   * A conversation of the connected service, or of another one that is held. Undefined without a connection, and on
   * services that have no transcripts.
   */
  model(id: string, service?: string): ConversationModel | undefined;
  /** Keeps the models of a service, whatever the window is connected to. */
  hold(service: string): Holding;
  /** Fires when another service, or none, is connected, and when there are models of one that is held, or no longer. */
  readonly onDidChange: (listener: () => void) => Disposable;
  /**
   * All of a transcript, without secrets; says what was left out. Throws a Refusal if it can’t all be read, and if the
   * signal is aborted before it is.
   */
  transcript(of: ConversationAt, format: TranscriptFormat, signal: AbortSignal): Promise<string>;
  /** Tries again to reach the sandbox; asks whether to accept its address if that is what's missing. */
  reconnect(id: string, service?: string): Promise<void>;
}
