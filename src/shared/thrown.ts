/** What was thrown, in its own words. They are of whoever threw it: shorten and clean them before they are shown. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
