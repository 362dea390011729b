import type { ApiClient } from '../../../api/service/client';
import type { HostMessage } from '../shared/messages';
import type { ParkedServer } from '../../../shared/parked';
import type { ParkedStore } from '../model/parked/outcome';
import type { Safeguards } from '../../../core/settings/safeguards';
import type { LastSaves } from './lastSaves';
import type { ServerPorts } from './servers/ports';

/** What the form needs from the editor. Unit tests use fakes. */
export interface FormPorts {
  /** Reaches the form only while it is shown. */
  post: (message: HostMessage) => void;
  /** The window's current client. */
  client: () => ApiClient | undefined;
  /** Name of the window's connection. */
  connectionName: () => string;
  /** Why there is no client. */
  noClient: () => { message: string; nextStep: string };
  /** Asks for a secret in the editor's own password input; undefined when the user cancels. */
  askSecret: (title: string, prompt: string) => Promise<string | undefined>;
  /** Asks before something that can't be undone; false when the user cancels. */
  confirm: (message: string, detail: string, action: string) => Promise<boolean>;
  /** Opens the picker for what the service keeps besides the settings, and resolves when the user leaves it. */
  manage: (what: 'profiles' | 'secrets') => PromiseLike<void>;
  /** True once after the service was updated to a generation that keeps some settings in another place. */
  takeUpdate: (service: string) => boolean;
  safeguards: Safeguards;
  servers: ServerPorts;
  /** MCP servers kept on this computer, by the base URL of the service. */
  parked: ParkedStore & { list: (baseUrl: string) => ParkedServer[] };
  /** The saves that can be undone; outlives the form. */
  lastSaves: LastSaves;
  /** Where drafts outlive the form, by the base URL of the service. */
  drafts: { read: (service: string) => unknown; write: (service: string, draft: unknown) => void };
  log: { info: (text: string) => void; warn: (text: string) => void; error: (text: string) => void };
}
