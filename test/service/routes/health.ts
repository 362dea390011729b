import { ok, type Route } from '../http';
import type { Context } from './context';

/** The release that each profile is modeled on. */
const releases = { documented: '', observed: '1.1.0', current: '1.11.0', hosted: '1.11.0' };

/** Health checks of the observed service; none of them requires the key. */
export function healthRoutes({ profile, clock }: Context): Route[] {
  if (!profile.beyondSpecification) return [];
  const begun = clock.now();
  const answers: Record<string, () => unknown> = {
    '/alive': () => ({ status: 'ok' }),
    '/health': () => 'OK',
    '/openapi.json': () => ({ info: { title: 'OpenHands', version: releases[profile.name] } }),
    '/server_info': () => {
      const uptime = (clock.now() - begun) / 1000;
      return { uptime, idle_time: uptime, resources: { cpu_percent: 0 } };
    },
  };
  return Object.entries(answers).map(([path, answer]) => ({
    method: 'GET',
    path,
    handle: () => ok(answer()),
  }));
}
