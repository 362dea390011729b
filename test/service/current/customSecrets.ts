import { objectBody, ok, type Answer, type Call, type Route } from '../http';
import type { State } from '../records';
import type { Release } from './mcpMap';

const path = '/api/v1/secrets';
const pattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

const refused = (status: number, detail: string): Answer => ({ status, body: { detail } });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Custom secrets, whose values are never shown. Up to 1.8, posting an existing name is refused instead of replacing its
 * secret.
 */
export function customSecretRoutes(state: State, release: () => Release): Route[] {
  const known = ({ params }: Call, handle: (name: string) => Answer): Answer => {
    const name = params['name'] ?? '';
    return state.secrets.has(name) ? handle(name) : refused(404, `Secret with ID ${name} not found`);
  };
  return [
    {
      method: 'GET',
      path: `${path}/search`,
      handle({ query }) {
        const limit = Number(query.get('limit') ?? 100);
        const all = [...state.secrets].sort(([one], [other]) => one.localeCompare(other));
        const first = all.findIndex(([name]) => name === query.get('page_id')) + 1;
        const page = all.slice(first, first + limit);
        const next = first + limit < all.length ? page.at(-1)?.[0] : undefined;
        const items = page.map(([name, { description }]) => ({ name, description }));
        return ok({ items, next_page_id: next ?? null });
      },
    },
    {
      method: 'POST',
      path,
      handle(call) {
        const { name, value, description } = objectBody(call);
        if (!pattern.test(text(name))) return refused(422, 'Wrong name');
        if (release() !== '1.11' && state.secrets.has(text(name)))
          return refused(400, `Secret ${text(name)} already exists`);
        const previous = state.secrets.get(text(name))?.description ?? '';
        const words = typeof description === 'string' ? description : previous;
        state.secrets.set(text(name), { value: text(value), description: words });
        return { status: 201, body: { message: 'Secret created successfully' } };
      },
    },
    {
      method: 'PUT',
      path: `${path}/:name`,
      handle: (call) =>
        known(call, (name) => {
          const { description } = objectBody(call);
          state.secrets.set(name, {
            value: state.secrets.get(name)?.value ?? '',
            description: text(description),
          });
          return ok({ message: 'Secret updated successfully' });
        }),
    },
    {
      method: 'DELETE',
      path: `${path}/:name`,
      handle: (call) =>
        known(call, (name) => {
          state.secrets.delete(name);
          return ok({ message: 'Secret deleted successfully' });
        }),
    },
  ];
}
