import * as z from 'zod/mini';
import { lenientList, maybe, maybeText } from '../../lenient';

const text = z.string();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A field as the service describes it; whatever else it says is left out. */
const describedFieldSchema = z.object({
  key: text,
  label: text,
  description: maybeText,
  section_label: text,
  value_type: text,
  default: maybe(scalar),
  prominence: maybeText,
  depends_on: maybe(lenientList(text)),
  secret: maybe(z.boolean()),
  choices: maybe(lenientList(z.object({ value: z.unknown(), label: text }))),
  /** The kind of agent that has it; null for all. */
  variant: maybeText,
});
/** What `describedFieldSchema` reads. */
export type DescribedField = z.infer<typeof describedFieldSchema>;

/** Answer of `GET /api/v1/settings/agent-schema` and of `GET /api/v1/settings/conversation-schema`. */
export const formSchemaSchema = z.object({
  sections: lenientList(z.object({ fields: lenientList(describedFieldSchema) })),
});
