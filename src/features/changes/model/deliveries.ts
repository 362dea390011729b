import * as z from 'zod/mini';
import { Emitter } from '../../../core/basics/emitter';
import { StoredList, type Store } from '../../../core/basics/storedList';
import { startPolicySchema } from '../../../shared/startPolicy';
import { parcelSchema } from './delivering';

const deliverySchema = z.object({
  ...parcelSchema.shape,
  /** `baseUrl` of the service. */
  service: z.string(),
  /** URI of the repository here, empty for no changes, and what was selected of it. */
  root: z.string(),
  paths: z.array(z.string()),
  /** The start of the conversation. */
  startId: z.string(),
  /**
   * The service has taken the start. Before that, the message is still in its editor, too. Earlier versions didn't store
   * it.
   */
  isAccepted: z._default(z.boolean(), true),
  /** Null until the service has the conversation. */
  conversationId: z._default(z.nullable(z.string()), null),
  /** What to set before the message is sent. */
  policy: z.optional(startPolicySchema),
  label: z.string(),
  /** Sent only once the sandbox has the changes. */
  message: z.string(),
});

/** What goes to a new conversation before its message: changes into its sandbox, its confirmation policy, or both. */
export type Delivery = z.infer<typeof deliverySchema>;

/** The part of a delivery that describes changes, if there are none. */
export const noChanges = { repository: '', base: '', branch: null, tree: '', root: '', paths: [] };

/** Whether changes go along, and not just a policy. */
export const hasChanges = ({ root }: Pick<Delivery, 'root'>): boolean => root !== '';

/** A delivery whose conversation exists. */
export type StartedDelivery = Delivery & { conversationId: string };

/** The progress of a delivery in this window. */
export interface DeliveryCourse {
  readonly isUnderWay: boolean;
  /** The steps so far in words, and when they began, in milliseconds since the epoch. */
  readonly lines: readonly { readonly words: string; readonly at: number }[];
  /** Why it failed; empty if it didn’t. */
  readonly failure: string;
}

/** Deliveries that haven’t ended; they survive the window. */
export class Deliveries {
  private readonly underWay = new Map<string, AbortController>();
  private readonly found: Set<string>;
  private readonly courses = new Map<string, Omit<DeliveryCourse, 'isUnderWay'>>();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  private readonly stored: StoredList<Delivery>;

  constructor(store: Store) {
    this.stored = new StoredList(deliverySchema, store, ({ id }) => id);
    this.found = new Set(this.all().map(({ id }) => id));
  }

  /** Those of one service that were under way when the window closed, until they're taken up again. */
  left(service: string): Delivery[] {
    return this.of(service).filter(({ id }) => this.found.has(id));
  }

  takeUp(id: string): void {
    this.found.delete(id);
  }

  /** The deliveries of one service without work in progress, newest first. */
  of(service: string): Delivery[] {
    return this.all().filter((one) => one.service === service && !this.underWay.has(one.id));
  }

  /**
   * Works on a delivery. It isn’t offered until `work` ends, because its message must not be sent twice.
   * @param controller is aborted by `cancel`
   */
  async during<T>(id: string, work: () => Promise<T>, controller = new AbortController()): Promise<T> {
    this.takeUp(id);
    this.underWay.set(id, controller);
    this.courses.set(id, { lines: [], failure: '' });
    this.changed.fire(undefined);
    try {
      return await work();
    } finally {
      this.underWay.delete(id);
      this.changed.fire(undefined);
    }
  }

  /** Stops the work on a delivery; false if there is none. */
  cancel(id: string): boolean {
    const controller = this.underWay.get(id);
    controller?.abort();
    return controller !== undefined;
  }

  /** Says which step a delivery is at. */
  reached(id: string, words: string, at: number): void {
    this.courses.set(id, { ...this.courseOf(id), lines: [...this.courseOf(id).lines, { words, at }] });
    this.changed.fire(undefined);
  }

  /** Says why a delivery failed. */
  failed(id: string, failure: string): void {
    this.courses.set(id, { ...this.courseOf(id), failure });
    this.changed.fire(undefined);
  }

  courseOf(id: string): DeliveryCourse {
    const { lines = [], failure = '' } = this.courses.get(id) ?? {};
    return { lines, failure, isUnderWay: this.underWay.has(id) };
  }

  /** The delivery that follows a start of a conversation. */
  ofStart(startId: string): Delivery | undefined {
    return this.all().find((one) => one.startId === startId);
  }

  /** Adds a delivery, or replaces it. */
  keep(delivery: Delivery): void {
    this.write([delivery, ...this.all().filter(({ id }) => id !== delivery.id)]);
  }

  /** The service has accepted the start of a delivery. */
  accepted(id: string): void {
    this.change(id, { isAccepted: true });
  }

  /** The start of a delivery has led to a conversation. */
  started(id: string, conversationId: string): void {
    this.change(id, { isAccepted: true, conversationId });
  }

  remove(id: string): void {
    this.write(this.all().filter((one) => one.id !== id));
  }

  private change(id: string, values: Partial<Delivery>): void {
    this.write(this.all().map((one) => (one.id === id ? { ...one, ...values } : one)));
  }

  private write(all: readonly Delivery[]): void {
    this.stored.write(all);
    this.changed.fire(undefined);
  }

  private all(): Delivery[] {
    return this.stored.all;
  }
}
