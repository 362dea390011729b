/** A command: gets what the palette, a keybinding or a tree passes. */
export type Handler = (...args: unknown[]) => Promise<void>;
