/** What the service accepts as a repository: `owner/name`; on GitLab, groups can nest. */
export const repositoryName = /^[^\s/]+(?:\/[^\s/]+)+$/;
