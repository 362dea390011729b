import type { Disposable } from '../basics/emitter';

/** Keeps the models of a service. */
export interface Holding extends Disposable {
  /** Resolves once there are models, or it's known that the service can't be reached. Never rejects. */
  readonly reached: Promise<void>;
}

/** A conversation of a service; of the connected one if none is named. */
export interface ConversationAt {
  readonly id: string;
  readonly service?: string | undefined;
}
