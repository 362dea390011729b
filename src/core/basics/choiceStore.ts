/** Where the choices are kept: the editor's memento of the workspace, or a stand-in. */
export interface ChoiceStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
