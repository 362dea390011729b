/**
 * What the service accepts as a repository: `owner/name`; on GitLab, groups can nest. The names of Azure DevOps, of which
 * there are three, may have blanks.
 */
export const repositoryName =
  /^(?:[^\s/]+(?:\/[^\s/]+)+|[^\s/]+\/[^\s/](?:[^\n\r\t/]*[^\s/])?\/[^\s/](?:[^\n\r\t/]*[^\s/])?)$/;
