import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { tempFolder } from '../../support/lifetime';
import { certificate, certificateKey } from '../../unit/api/support/certificate';
import { answer, listen } from './http';

/** Where each provider’s self-hosted server has its API, and the prefix of the tokens it accepts. */
const providers = [
  { api: '/api/v3', token: 'good-github' },
  { api: '/api/v4', token: 'good-gitlab' },
];

/** What this GitLab contains. */
export const gitLab = { repository: 'ada/engine', branches: ['main', 'feature/loops'] };

/** The answer to a request with a valid token. */
function answerTo(url: string): unknown {
  if (url.includes('/repository/branches')) return gitLab.branches.map((name) => ({ name, commit: {} }));
  if (url.startsWith('/api/v4/projects'))
    return [{ id: 1, path_with_namespace: gitLab.repository, default_branch: 'main', visibility: 'private' }];
  return { id: 1, login: 'ada', username: 'ada' };
}

/** A git host that checks tokens, as GitHub and as GitLab. */
export interface GitHost {
  /** Host name and port. */
  readonly host: string;
  /** File with the certificate to trust. */
  readonly authority: string;
}

export async function startGitHost(): Promise<GitHost> {
  const server = createServer(
    { cert: certificate, key: certificateKey },
    ({ url = '', headers }, response) => {
      const { authorization = '' } = headers;
      const isGood = providers.some(
        ({ api, token }) => url.startsWith(api) && authorization.startsWith(`Bearer ${token}`),
      );
      answer(response, isGood ? 200 : 401, isGood ? answerTo(url) : {});
    },
  );
  const folder = await tempFolder();
  const authority = path.join(folder.path, 'authority.pem');
  await writeFile(authority, certificate);
  return { host: `127.0.0.1:${await listen(server)}`, authority };
}
