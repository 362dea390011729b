import { SettingsForm } from '../../support/workbench/settingsForm';
import type { UiSuite } from '../../support/ui';
import { connectGrouped } from '../support/connect';

/** A copy of what the service stores. */
export const held = ({ service: { state } }: UiSuite) =>
  structuredClone({ settings: state.settings, tokens: state.providerTokens }) as {
    settings: Record<string, unknown>;
    tokens: Record<string, { token: string; host: string | null }>;
  };

/**
 * The lifelike settings without what any save changes: the sandbox key, whose loss has its own test, and members that
 * the specification doesn’t include.
 */
export function plainSettings({ profile, service }: UiSuite): void {
  const settings = service.state.settings as Record<string, unknown>;
  settings['sandbox_api_key'] = null;
  if (profile === 'observed') return;
  const { shttp_servers } = settings['mcp_config'] as { shttp_servers: Record<string, unknown>[] };
  for (const server of shttp_servers) delete server['timeout'];
}

/** Connects the suite's window and opens the form. */
export async function openForm(ui: UiSuite): Promise<SettingsForm> {
  await connectGrouped(ui);
  await ui.workbench.notifications.waitFor('Connected');
  await ui.workbench.notifications.clear();
  const form = new SettingsForm(ui.workbench);
  await form.open();
  return form;
}
