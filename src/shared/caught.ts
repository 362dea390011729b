import * as z from 'zod/mini';

/** Like `z.catch`, which would bring along all helpers of zod: `fallback` takes the place of what doesn’t fit. */
export function caught<T extends z.core.SomeType>(schema: T, fallback: z.core.output<T>): z.ZodMiniCatch<T> {
  const innerType = schema as unknown as z.core.$ZodType;
  return new z.ZodMiniCatch({
    type: 'catch',
    innerType,
    catchValue: () => fallback,
  }) as unknown as z.ZodMiniCatch<T>;
}
