/** Git providers that a conversation can name (`git_provider`). */
export const gitProviders = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_data_center',
  'azure_devops',
  'forgejo',
] as const;
export type GitProvider = (typeof gitProviders)[number];
