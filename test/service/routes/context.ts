import type { AgentFleet } from '../agent/fleet';
import type { Behaviour } from '../behaviour';
import type { Clock } from '../clock';
import type { ConversationStarts } from '../conversationStarts';
import type { Profile } from '../profiles/profile';
import type { State } from '../records';
import type { HostedAccounts } from '../hosted/accounts';
import type { SandboxLifecycle } from '../sandboxLifecycle';

/** What the routes work with. */
export interface Context {
  profile: Profile;
  state: State;
  behaviour: Behaviour;
  clock: Clock;
  sandboxes: SandboxLifecycle;
  starts: ConversationStarts;
  /** Undefined where no agents are simulated. */
  agents: AgentFleet | undefined;
  /** Only of a hosted service. */
  accounts: HostedAccounts | undefined;
}
