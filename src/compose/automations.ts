import { systemClock } from '../api/http/clock';
import { agentState } from '../core/lists/attention';
import { clientOf } from '../core/session/session';
import type { ContextKeys } from '../editor/contextKeys';
import type { Views } from '../editor/rows/listView';
import { isOn } from '../editor/settings';
import { onDidChangeSettings, refreshIntervalMs, watchMs } from '../editor/watching';
import type { OtherConnections, ToldNews } from '../features/attention';
import { AutomationWatch, insteadOfRows } from '../features/automations';
import { contextKeys, settingIds } from '../ids';
import { lazily } from '../lazily';
import type { CommandDependencies } from './commands/dependencies';
import type { Own } from './panels';

interface Needs extends Pick<CommandDependencies, 'session'> {
  others: Pick<OtherConnections, 'reached' | 'onDidChange'>;
  told: Pick<ToldNews, 'claim'>;
  isLookedAt: (service: string, id: string) => boolean;
  editorKeys: ContextKeys;
  createTree: Views['createTree'];
}

/** At least this long between two requests for automations on screen, in milliseconds. */
const shownLeastMs = 30_000;

/** Watches automations, and shows those of the connected server once it has any such service. */
export function followAutomations(own: Own, needs: Needs): AutomationWatch {
  const { session, others, told, isLookedAt, editorKeys, createTree } = needs;
  const watch: AutomationWatch = own(
    new AutomationWatch({
      services: () => {
        const { current } = session;
        // A server that fails for a while keeps its view, and what is known of its runs.
        const isWatched = current.kind === 'ready' || (current.kind === 'unreachable' && watch.here);
        const here = isWatched ? [current] : [];
        const elsewhere = isOn(settingIds.watchAllConnections) ? others.reached : [];
        return [...here, ...elsewhere].filter(({ client }) => client.agents !== undefined);
      },
      here: () => ('connection' in session.current ? session.current.connection.baseUrl : undefined),
      watchMs: () => (isOn(settingIds.automationFailed) ? watchMs() : 0),
      shownMs: () => {
        const ms = refreshIntervalMs();
        return ms === 0 ? 0 : Math.max(ms, shownLeastMs);
      },
      claim: (baseUrl, events) => told.claim(baseUrl, events),
      isTold: async (client, id) => {
        if (isLookedAt(client.baseUrl, id)) return true;
        if (!isOn(settingIds.agentFailed)) return false;
        const conversation = await client.getConversation(id);
        return conversation !== null && agentState(conversation) === 'agentFailed';
      },
      clock: systemClock,
    }),
  );
  const view = lazily(async () => {
    const { AutomationsView } = await import('../features/automations/rows/view');
    return own(new AutomationsView(watch, createTree()));
  });
  const follow = () => watch.follow();
  own(session.onDidChange(follow));
  own(others.onDidChange(follow));
  for (const id of [
    'watchSeconds',
    'refreshIntervalSeconds',
    'watchAllConnections',
    'automationFailed',
  ] as const)
    own(onDidChangeSettings(id, follow));
  own(
    watch.onDidChange(() => {
      const { here } = watch;
      const isThere = here !== undefined && clientOf(session.current)?.agents !== undefined;
      editorKeys.set(contextKeys.automationsInstead, here && insteadOfRows(here));
      // The editor shows the view once it has rows to ask for.
      if (isThere) void view().then(() => editorKeys.set(contextKeys.automations, watch.here !== undefined));
      else editorKeys.set(contextKeys.automations, false);
    }),
  );
  follow();
  return watch;
}
