/** The address of a sandbox’s folder, which must still work after the window is reloaded. */
export interface FolderAddress {
  /** Name of the connection in lowercase, because the editor lowercases authorities. */
  connection: string;
  conversation: string;
}

/** The authority of the files’ URIs. */
export const authorityOf = (connection: string, conversation: string): string =>
  `${connection.toLowerCase()}+${conversation.toLowerCase()}`;

/** Reads such an authority; undefined for a forged one. */
export function folderAddress(authority: string): FolderAddress | undefined {
  const [, connection, conversation] = /^(.+)\+([\da-z-]+)$/s.exec(authority) ?? [];
  return connection === undefined || conversation === undefined ? undefined : { connection, conversation };
}
