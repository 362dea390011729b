/** The URL that `text` is, as seen from `base` where it is not whole; undefined when it is none. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    // Not URL.canParse: once it is called often, some releases of Node take letters such as ü for a mistake.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
