import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from './paths';

/** What the recipes of CONTRIBUTING.md are checked against: the texts of the project, and what the manifest says. */
export interface Facts {
  /** By command id. */
  commands: ReadonlyMap<string, { title: string; category?: string; enablement?: string }>;
  /** Commands that only rows have. */
  hidden: ReadonlySet<string>;
  /** `package.nls.json`. */
  words: Readonly<Record<string, string>>;
  /** `src/commands/index.ts`. */
  handlers: string;
  /** `src/compose/commandRunner.ts`. */
  commandRunner: string;
  /** `src/api/service`. */
  client: string;
  /** `src/shared/fields.ts`, where the fields are described. */
  fields: string;
  /** `test/service/settingsFields.ts` and `test/service/records.ts`. */
  serviceFields: string;
  serviceDefaults: string;
  /** `test/unit/shared/fields.test.ts`. */
  specified: string;
  /** Of the handlers of the form's messages, and of the form's own for those of the extension. */
  messageHandlers: string;
  /** The endpoints of the reference service in both profiles: `GET /api/settings`; `{id}` for each parameter. */
  served: ReadonlySet<string>;
  /** All files of tests. */
  tests: string;
}

const read = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');

function readAll(folder: string): string {
  return readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('recipes.test.ts'))
    .map((name) => read(path.join(folder, name)))
    .join('\n');
}

/** The facts as they stand. */
export function readFacts(served: Iterable<string>): Facts {
  const manifest = JSON.parse(read('package.json')) as {
    contributes: {
      commands: { command: string; title: string; category?: string; enablement?: string }[];
      menus: { commandPalette: { command: string }[] };
    };
  };
  return {
    commands: new Map(manifest.contributes.commands.map((command) => [command.command, command])),
    hidden: new Set(manifest.contributes.menus.commandPalette.map(({ command }) => command)),
    words: JSON.parse(read('package.nls.json')) as Record<string, string>,
    handlers: read('src/commands/index.ts'),
    commandRunner: read('src/compose/commandRunner.ts'),
    client: readAll('src/api/service'),
    fields: read('src/shared/fields.ts'),
    serviceFields: read('test/service/settingsFields.ts'),
    serviceDefaults: read('test/service/records.ts'),
    specified: read('test/unit/shared/fields.test.ts'),
    messageHandlers: read('src/panels/settings/handlers.ts') + read('src/webview/settings/app.ts'),
    served: new Set(served),
    tests: ['unit', 'host', 'ui'].map((folder) => readAll(path.join('test', folder))).join('\n'),
  };
}

/** What a command lacks; `name` is its member of `commandIds`. */
export function lackingOfCommand(name: string, id: string, facts: Facts): string[] {
  const entry = facts.commands.get(id);
  const title = entry && facts.words[entry.title.replaceAll('%', '')];
  const isExempt = facts.commandRunner.includes(`commandIds.${name},`) || facts.hidden.has(id);
  const mentions = [`commandIds.${name}`, `'${id}'`, ...(title === undefined ? [] : [`'${title}'`])];
  return lacking({
    'an entry in contributes.commands of package.json': entry !== undefined,
    'a title in package.nls.json': entry === undefined || title !== undefined,
    'the category of the others': entry === undefined || entry.category === '%extension.displayName%',
    'a handler in src/commands/index.ts': facts.handlers.includes(`[ids.${name}]:`),
    'an enablement in package.json, or a place in worksUnconnected of src/compose/commandRunner.ts':
      entry === undefined || entry.enablement !== undefined || isExempt,
    'a test in test/unit, test/host or test/ui': mentions.some((words) => facts.tests.includes(words)),
  });
}

/** What a field of the settings lacks. */
export function lackingOfField(field: string, facts: Facts): string[] {
  const row = new RegExp(`^ +${field}: `, 'm');
  return lacking({
    'a row in fieldTable or secretTable of src/shared/fields.ts': new RegExp(`^  ${field}: \\{`, 'm').test(
      facts.fields,
    ),
    'a rule in test/service/settingsFields.ts': row.test(facts.serviceFields),
    'a default in test/service/records.ts': row.test(facts.serviceDefaults),
    'a place in the list of the specification in test/unit/shared/fields.test.ts': facts.specified.includes(
      `'${field}'`,
    ),
    'a test of what is sent for it': new RegExp(`\\b${field}\\b`).test(facts.tests),
  });
}

/** What a method of the API client lacks; `asked` are the endpoints that a call of it asks for. */
export function lackingOfEndpoint(method: string, asked: readonly string[], facts: Facts): string[] {
  const missing = asked.filter((endpoint) => !facts.served.has(endpoint));
  return lacking({
    'a method in src/api/service': new RegExp(`^    ${method}: `, 'm').test(facts.client),
    'an endpoint that it asks for': asked.length > 0,
    [`a route in test/service/routes for ${missing.join(', ')}`]: missing.length === 0,
    'a test in test/unit': facts.tests.includes(`.${method}(`),
  });
}

/** What a message between form and extension lacks; `from` is the side that sends it. */
export function lackingOfMessage(type: string, from: 'form' | 'extension', facts: Facts): string[] {
  const handler = from === 'form' ? new RegExp(`^    ${type}: `, 'm') : new RegExp(`case '${type}':`);
  return lacking({
    [from === 'form'
      ? 'a handler in src/panels/settings/handlers.ts'
      : 'a case in src/webview/settings/app.ts']: handler.test(facts.messageHandlers),
    'a sample in test/unit/shared/messages.test.ts': facts.tests.includes(`type: '${type}'`),
  });
}

function lacking(parts: Record<string, boolean>): string[] {
  return Object.entries(parts).flatMap(([part, isThere]) => (isThere ? [] : [part]));
}
