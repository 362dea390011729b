import { isObject, ok, type Answer, type Call, type Route } from '../http';
import type { Context } from '../routes/context';
import type { HostedAccounts } from './accounts';

/** What a hosted service has besides the current generation. */
export function hostedRoutes(
  { behaviour }: Pick<Context, 'behaviour'>,
  accounts: HostedAccounts,
  url: () => string,
): Route[] {
  const post = (path: string, handle: Route['handle']): Route => ({ method: 'POST', path, handle });
  const organization = (call: Call) => behaviour.organizations.find(({ id }) => id === call.params['id']);
  return [
    post('/oauth/device/authorize', () =>
      behaviour.signIn.offered ? accounts.authorize(url()) : { status: 404, body: { detail: 'Not Found' } },
    ),
    post('/oauth/device/token', (call) => accounts.token(field(call, 'device_code'))),
    post('/oauth/device/verify', (call) => {
      const isKnown = accounts.verify(field(call, 'user_code'), field(call, 'action') !== 'deny');
      return isKnown ? ok({ success: true }) : { status: 400, body: { error: 'invalid_user_code' } };
    }),
    {
      method: 'GET',
      path: '/api/organizations',
      handle: ({ query }): Answer => {
        const from = Number(query.get('page_id') ?? 0);
        const size = Math.min(Number(query.get('limit') ?? 100), 100);
        const { organizations } = behaviour;
        const next = from + size < organizations.length ? String(from + size) : null;
        return ok({
          items: organizations.slice(from, from + size),
          next_page_id: next,
          current_org_id: organizations[0]?.id ?? null,
        });
      },
    },
    {
      method: 'GET',
      path: '/api/organizations/:id',
      handle: (call) => {
        const found = organization(call);
        return found ? ok(found) : { status: 404, body: { detail: 'Organization not found' } };
      },
    },
  ];
}

/** A field of a form, or of JSON. */
function field(call: Call, name: string): string {
  const value =
    call.form?.get(name) ?? ('value' in call.body && isObject(call.body.value) ? call.body.value[name] : '');
  return typeof value === 'string' ? value : '';
}
