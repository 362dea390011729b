/** Where a folder of a sandbox is, after a reload of the window, too. */
export interface FolderAddress {
  /** Name of the connection, in lowercase: the editor keeps no other letters. */
  connection: string;
  conversation: string;
}

/** The authority of the addresses of files. */
export const authorityOf = (connection: string, conversation: string): string =>
  `${connection.toLowerCase()}+${conversation.toLowerCase()}`;

/** Reads such an authority; undefined for a forged one. */
export function folderAddress(authority: string): FolderAddress | undefined {
  const [, connection, conversation] = /^(.+)\+([\da-z-]+)$/s.exec(authority) ?? [];
  return connection === undefined || conversation === undefined ? undefined : { connection, conversation };
}
