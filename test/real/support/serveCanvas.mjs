// Starts Agent Canvas as its command does, with more patience: after a minute without its agent server, the command
// goes on without storing the secret of its automations.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env['CANVAS_PACKAGE'] ?? '';
/** @type {{ main: (options: object) => Promise<unknown> }} */
const { main } = await import(pathToFileURL(path.join(folder, 'scripts', 'dev-with-automation.mjs')).href);
await main({
  staticMode: true,
  staticDir: path.join(folder, 'build'),
  mode: 'agent-canvas',
  agentServerReadyTimeoutMs: 900_000,
});
