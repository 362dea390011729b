/** Part of what JSON Schema has; as much as these servers describe their requests with. */
interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
}

/** What the requests to a server may have. */
export interface Contract {
  /** What a request may have, by method and path. */
  routes: Record<string, Schema>;
  /** By the names of references. */
  schemas: Record<string, Schema>;
}

const typeOf = (value: unknown) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : typeof value;

/** Where a value isn’t as its schema says, members that no schema has included. */
export function misfits(value: unknown, schema: Schema, schemas: Contract['schemas'], at = ''): string[] {
  const check = (of: unknown, one: Schema, place: string) => misfits(of, one, schemas, place);
  if (schema.$ref !== undefined) return check(value, schemas[schema.$ref] ?? { type: 'unknown' }, at);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const all = choices.map((one) => check(value, one, at));
    // The most specific complaint is that of the choice that fits best.
    return all.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  const { type } = schema;
  const is = typeOf(value);
  if (type !== undefined && type !== is && !(type === 'number' && is === 'integer'))
    return [`${at}: ${is} in place of ${type}`];
  if ('const' in schema && schema.const !== value) return [`${at}: not ${String(schema.const)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: not one of ${schema.enum.join()}`];
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = Infinity, pattern = '' } = schema;
    const fits =
      value.length >= minLength && value.length <= maxLength && new RegExp(pattern, 'u').test(value);
    return fits ? [] : [`${at}: wrong text`];
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
    return value >= minimum && value <= maximum && value > exclusiveMinimum ? [] : [`${at}: out of range`];
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => check(item, schema.items ?? {}, `${at}/${index}`));
  if (is !== 'object') return [];
  const { properties, additionalProperties: others = properties === undefined, required = [] } = schema;
  const members = Object.entries(value as object);
  return [
    ...required
      .filter((name) => !members.some(([member]) => member === name))
      .map((name) => `${at}/${name}: missing`),
    ...members.flatMap(([name, member]) => {
      const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own) return check(member, own, `${at}/${name}`);
      if (others === false) return [`${at}/${name}: unknown`];
      return others === true ? [] : check(member, others, `${at}/${name}`);
    }),
  ];
}

/** Sends requests, and keeps the bodies of those for `routes`, such as `POST /api/conversations/{}`, by route. */
export function recordingFetch(routes: readonly string[], sent: Map<string, unknown[]>): typeof fetch {
  return (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const fits = routes.filter((one) => {
      const [method, template = ''] = one.split(' ');
      return method === init?.method && new RegExp(`^${template.replaceAll('{}', '[^/]+')}$`).test(pathname);
    });
    // A name in the address counts more than a place for any.
    const [route] = fits.toSorted((one, other) => one.split('{}').length - other.split('{}').length);
    if (route !== undefined && typeof init?.body === 'string')
      sent.set(route, [...(sent.get(route) ?? []), JSON.parse(init.body)]);
    return globalThis.fetch(input, init);
  };
}

/** Reads a server’s own description, an answer of `GET /openapi.json`. */
export function contractOf(description: unknown): Contract {
  // References name their schema alone.
  const text = JSON.stringify(description).replaceAll('"#/components/schemas/', '"');
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Contract['schemas'] };
  };
  const routes = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema
        ? [[`${method.toUpperCase()} ${route.replaceAll(/\{[^}]+\}/g, '{}')}`, schema] as const]
        : [];
    }),
  );
  return { routes: Object.fromEntries(routes), schemas: components.schemas };
}
