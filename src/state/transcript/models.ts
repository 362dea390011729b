import type { Disposable } from '../basics/emitter';
import type { ConversationModel } from './model';

/** The form of a transcript that leaves the panel. */
export type TranscriptFormat = 'markdown' | 'json';

/** The models of the conversations of the connected service, one for each conversation of a window. */
export interface ConversationModels {
  /** Base URL of the connected service; undefined without a connection. */
  readonly service: string | undefined;
  /** Undefined without a connection, and on services that have no transcripts. */
  model(id: string): ConversationModel | undefined;
  /** Fires when another service, or none, is connected. */
  readonly onDidChange: (listener: () => void) => Disposable;
  /**
   * All of a transcript, without secrets; says what was left out. Throws a Refusal if it can’t all be read, and if the
   * signal is aborted before it is.
   */
  transcript(model: ConversationModel, format: TranscriptFormat, signal: AbortSignal): Promise<string>;
  /** Tries again to reach the sandbox; asks whether to accept its address if that is what's missing. */
  reconnect(id: string): Promise<void>;
}
