import * as z from 'zod/mini';

/** What tells a conversation from others; each is empty if it’s unknown, or if there’s none. */
export const aboutSchema = z.strictObject({
  repository: z.string(),
  branch: z.string(),
  /** Such as `#12`. */
  pullRequests: z.string(),
  hasPullRequestPage: z.boolean(),
  model: z.string(),
  hasSandbox: z.boolean(),
  /** Where the agent works, if that’s not a sandbox. */
  folder: z.string(),
});
export type About = z.infer<typeof aboutSchema>;

export const nothingKnown: About = {
  repository: '',
  branch: '',
  pullRequests: '',
  hasPullRequestPage: false,
  model: '',
  hasSandbox: false,
  folder: '',
};
