/** Names of files that usually hold secrets, in lower case. */
const secretNames = [
  /^\.env(rc)?([._-].+)?$/,
  /\.env$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^\.(npmrc|pypirc|netrc|pgpass|my\.cnf|s3cfg|vault-token|git-credentials|htpasswd|dockercfg)$/,
  /^_netrc$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt|env|xml|properties))?$/,
  /^(service-?account|client_secret|application_default_credentials).*\.json$/,
  /\.tfstate(\.backup)?$/,
  /^terraform\.tfvars$/,
];
/** Templates that show which secrets there are, without them. */
const harmlessNames =
  /^(\.env(rc)?[._-](example|sample|template|dist|defaults?)|(example|sample|template|dist|defaults?)\.env)$/;

/** Keys by their form. */
const secretTexts = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}/,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\b(?:sk|rk)_live_[A-Za-z0-9]{16,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bhf_[A-Za-z0-9]{30,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /"private_key"\s*:\s*"/,
];

/** Why a file looks like it holds a secret. */
export type SecretSign = 'name' | 'content';

/**
 * Whether a file looks like it holds a secret; undefined if not, which proves nothing.
 * @param content null for a file that is deleted
 */
export function secretSign(path: string, content: Uint8Array | null): SecretSign | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (content === null) return undefined;
  if (!harmlessNames.test(name) && secretNames.some((pattern) => pattern.test(name))) return 'name';
  const text = Buffer.from(content).toString('latin1');
  return secretTexts.some((pattern) => pattern.test(text)) ? 'content' : undefined;
}
