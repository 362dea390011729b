import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from './paths';

const link = z.nullable(z.url({ protocol: /^https$/ }));

/** The publisher's addresses; null for none. Only those set in `publish.json` are ever linked. */
const linksSchema = z.strictObject({ repository: link, bugs: link, homepage: link, qna: link });
export type PublisherLinks = z.infer<typeof linksSchema>;

/** Reads `publish.json`; throws if it is malformed. */
export function readPublisherLinks(): PublisherLinks {
  const text = readFileSync(path.join(projectFolder, 'publish.json'), 'utf8');
  return linksSchema.parse(JSON.parse(text));
}

/** The package's manifest: with the publisher's links, but without what only the whole project needs. */
export function packagedManifest(
  { scripts: _, devDependencies: _tools, overrides: _pins, ...manifest }: Record<string, unknown>,
  { repository, bugs, homepage, qna }: PublisherLinks,
): Record<string, unknown> {
  return {
    ...manifest,
    ...(repository !== null && { repository: { type: 'git', url: repository } }),
    ...(bugs !== null && { bugs: { url: bugs } }),
    ...(homepage !== null && { homepage }),
    ...(qna !== null && { qna }),
  };
}

/** Sections of the README about the source, which isn't in the package. */
const sourceSections = /^## (?:Test it|Layout)\n[^]*?(?=^## |^\[MIT License\])/gm;

/**
 * The package's README, without sections about the source. Its pictures and links are files of the repository, which
 * `vsce` finds on GitHub and GitLab. Without such a repository, removes pictures and turns links into plain text.
 */
export function packagedReadme(whole: string, { repository }: PublisherLinks): string {
  const text = whole.replace(sourceSections, '');
  if (repository !== null && /^https:\/\/(github|gitlab)\.com\//.test(repository)) return text;
  return text.replace(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '').replace(/\[([^\]]+)\]\((?!\w+:|#)[^)]*\)/g, '$1');
}
