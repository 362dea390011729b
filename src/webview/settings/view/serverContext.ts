import type { McpServer } from '../../../shared/mcp';
import type { Problem } from '../../../shared/messages';
import type { App } from '../app';
import { messagesFor } from '../model';
import type { McpRow } from '../rows';

/** What a part of a server's editor needs. */
export interface Context {
  app: App;
  row: McpRow;
  problems: readonly Problem[];
  id: (part: string) => string;
  change: (change: (server: McpServer) => Partial<McpServer>) => void;
}

/** What is wrong with one member of the server. */
export function messagesAt({ problems }: Context, member: string): string[] {
  return messagesFor(problems, (target) => target.at === 'mcp' && target.member === member);
}
