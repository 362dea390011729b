/** Ends a subscription or a resource; calling it twice does nothing. */
export interface Disposable {
  dispose(): void;
}

/** An event for code that must not use the editor's API. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** Calls `listener` with every later value until disposed. */
  readonly event = (listener: (value: T) => void): Disposable => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}
