import { objectBody, ok, type Route } from '../http';
import { replaceSettings } from '../settingsFields';
import type { Context } from './context';

/** The user's settings. */
export function settingsRoutes({ profile, state }: Context): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/settings',
      handle: () => profile.settings(state.settings),
    },
    {
      method: 'POST',
      path: '/api/settings',
      handle(call) {
        state.settings = replaceSettings(state.settings, objectBody(call), profile.settingsRules());
        return ok(profile.done.settings);
      },
    },
  ];
}
