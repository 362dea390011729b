/** What the service takes for a repository: `owner/name`; on GitLab, groups can nest. */
export const repositoryName = /^[^\s/]+(?:\/[^\s/]+)+$/;
