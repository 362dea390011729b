import type { ApiClient } from '../api/client';
import type { HostMessage } from '../shared/messages';
import type { ParkedServer } from '../shared/parked';
import type { ParkedStore } from '../state/parked/parking';
import type { LastSaves } from './lastSaves';
import type { ServerPorts } from './servers/ports';

/** What the form needs of the editor around it; a test puts fakes in their place. */
export interface FormPorts {
  /** Reaches the form only while it is shown. */
  post: (message: HostMessage) => void;
  /** The present client of the window. */
  client: () => ApiClient | undefined;
  /** Why there is no client. */
  noClient: () => { message: string; nextStep: string };
  /** Asks for a secret in the editor's own password input; undefined when the user left it. */
  askSecret: (title: string, prompt: string) => Promise<string | undefined>;
  /** Asks before something that cannot be taken back. */
  confirm: (message: string, detail: string, action: string) => Promise<boolean>;
  servers: ServerPorts;
  /** MCP servers that are kept on this computer, by the base URL of the service. */
  parked: ParkedStore & { list: (baseUrl: string) => ParkedServer[] };
  /** What can be taken back; outlives the form. */
  lastSaves: LastSaves;
  /** Where drafts outlive the form, by the base URL of the service. */
  drafts: { read: (service: string) => unknown; write: (service: string, draft: unknown) => void };
  log: { info: (text: string) => void; warn: (text: string) => void; error: (text: string) => void };
}
