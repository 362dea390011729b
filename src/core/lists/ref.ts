/** A sandbox or a conversation. */
export interface RecordRef {
  readonly kind: 'sandbox' | 'conversation';
  readonly id: string;
  /** The base URL of its service; undefined for the connected one. */
  readonly service?: string | undefined;
}

/** What a row or a command argument refers to: only ids, so that it stays valid when the data changes. */
export type Ref =
  | RecordRef
  | { readonly kind: 'spec' | 'start'; readonly id: string }
  /** A folder of a standalone agent server, by its path. */
  | { readonly kind: 'workspace'; readonly path: string }
  | { readonly kind: 'url'; readonly sandboxId: string; readonly name: string }
  | { readonly kind: 'group'; readonly key: string }
  /** An entry of a conversation’s transcript. */
  | { readonly kind: 'entry'; readonly id: string; readonly service: string; readonly entry: string }
  /** An automation of a service, and one of its runs if that’s meant. */
  | {
      readonly kind: 'automation';
      readonly id: string;
      readonly service: string;
      readonly run?: string | undefined;
    }
  /** Several attempts at one message, by the ids of their conversations. */
  | {
      readonly kind: 'attempts';
      readonly ids: readonly string[];
      /** The base URL of their service; undefined for the connected one. */
      readonly service?: string | undefined;
    }
  | {
      readonly kind: 'loadMore';
      readonly list: 'sandboxes' | 'conversations' | 'specs' | 'workspaces';
      /** The base URL of its service; undefined for the connected one. */
      readonly service?: string | undefined;
    };

/** What a tree passes to a command. */
export interface Referring {
  readonly ref: Ref;
}

/** The ref in a command's argument, if the argument comes from one of our trees. */
export function refOf(argument: unknown): Ref | undefined {
  return typeof argument === 'object' && argument !== null && 'ref' in argument
    ? (argument as Referring).ref
    : undefined;
}
