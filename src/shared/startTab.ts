const prefix = 'start:';

/** The id of a tab that shows a start, until it shows the conversation that the start leads to. */
export const startTabId = (startId: string): string => `${prefix}${startId}`;

/** The start that a tab shows; undefined if its id is that of a conversation. */
export function startOfTab(id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}
