import type { McpServer } from '../../../../shared/mcp';
import type { Problem } from '../../shared/messages';
import type { SettingsApp } from '../app';
import { messagesFor } from '../model';
import type { McpRow } from '../rows';
import type { Field } from './controls';

/** What a part of a server's editor needs. */
export interface Context {
  app: SettingsApp;
  row: McpRow;
  problems: readonly Problem[];
  id: (part: string) => string;
  change: (change: (server: McpServer) => Partial<McpServer>) => void;
}

/** What is wrong with one member of the server. */
export function messagesAt({ problems }: Context, member: string): string[] {
  return messagesFor(problems, (target) => target.at === 'mcp' && target.member === member);
}

/** A member of the server, which the service calls `name`. */
export function memberField(
  context: Context,
  member: string,
  title: string,
  help: string,
  name = member,
): Field {
  return { id: context.id(member), title, help, name, messages: messagesAt(context, member) };
}
