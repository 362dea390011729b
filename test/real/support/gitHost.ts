import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { tempFolder } from '../../support/lifetime';
import { certificate, certificateKey } from '../../unit/api/support/certificate';
import { answer, listen } from './http';

/** Where each provider’s own server has its API, and how tokens begin that it takes. */
const providers = [
  { api: '/api/v3', token: 'good-github' },
  { api: '/api/v4', token: 'good-gitlab' },
];

/** A git host that tells good tokens from others, for GitHub and GitLab alike. */
export interface GitHost {
  /** Its name and port. */
  readonly host: string;
  /** File with the certificate to trust. */
  readonly authority: string;
}

export async function startGitHost(): Promise<GitHost> {
  const server = createServer({ cert: certificate, key: certificateKey }, ({ url, headers }, response) => {
    const { authorization = '' } = headers;
    const isGood = providers.some(
      ({ api, token }) => url?.startsWith(api) && authorization.startsWith(`Bearer ${token}`),
    );
    answer(response, isGood ? 200 : 401, isGood ? { id: 1, login: 'ada', username: 'ada' } : {});
  });
  const folder = await tempFolder();
  const authority = path.join(folder.path, 'authority.pem');
  await writeFile(authority, certificate);
  return { host: `127.0.0.1:${await listen(server)}`, authority };
}
