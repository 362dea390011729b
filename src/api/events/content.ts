import * as z from 'zod/mini';
import { terminalText } from '../../shared/terminal';

/** Text and pictures of a message or a result. */
export interface Content {
  /** All parts of text, joined with line breaks. */
  text: string;
  /** Length of the whole text, in characters; `text` is shorter if it was cut. */
  length: number;
  /** The number of pictures. */
  images: number;
  /** Their addresses: data URIs or others. Absent if there are no pictures, or if they were dropped. */
  pictures?: readonly unknown[];
}

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({ type: z.literal('image'), image_urls: z.array(z.unknown()) });

/** Reads `[{"type": "text", ...} | {"type": "image", ...}]`, bare text, or nothing; other parts are left out. */
export const contentSchema: z.ZodMiniType<Content> = z.pipe(
  z.optional(z.unknown()),
  z.transform((value): Content => {
    if (typeof value === 'string') return whole(value);
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    const text = parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []);
    const images = parts.flatMap((part) => imagePart.safeParse(part).data?.image_urls ?? []);
    return whole(text.join('\n'), images);
  }),
);

/** A text that isn’t shortened, with its pictures. */
export function whole(text: string, pictures: readonly unknown[] = []): Content {
  const images = pictures.length;
  return { text, length: text.length, images, ...(images > 0 && { pictures }) };
}

/** Reads a tool's output like `contentSchema`, without terminal sequences except colors. */
export const outputSchema: z.ZodMiniType<Content> = z.pipe(
  contentSchema,
  z.transform(({ text, pictures }: Content) => whole(terminalText(text), pictures)),
);

/** What pictures of each type begin with in Base64. */
const beginnings: readonly [beginning: string, type: string][] = [
  ['/9j/', 'jpeg'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
];

/** A picture in Base64 as a data URI; PNG unless it begins as another type. */
export function dataUri(base64: string): string {
  const type = beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'png';
  return `data:image/${type};base64,${base64}`;
}
