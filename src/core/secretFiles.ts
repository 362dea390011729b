/** Names of files that usually hold secrets, in lower case. */
const secretNames = [
  /^\.(env|dev\.vars)(rc)?([._-].+)?$/,
  /\.env(\.enc)?$/,
  /\.(pem|key|p8|p12|pfx|jks|keystore|kdbx?|ppk|ovpn|agekey|keytab|tfvars|kubeconfig|gpg)(\.(json|enc))?$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-].+)?$/,
  /^\.(token|npmrc|yarnrc\.yml|pypirc|netrc|pgpass|my\.cnf|s3cfg|boto|vault[-_](token|pass(word)?)|git-credentials|htpasswd|htdigest|dockercfg|dockerconfigjson|terraformrc|mylogin\.cnf|sentryclirc|databrickscfg|clasprc\.json|ftp(config|pass)|fetchmailrc|msmtprc|curlrc|wgetrc|renviron|authinfo|[\w-]{1,20}_history)$/,
  /^(ngrok\.yml|\w{1,40}_token\.json|token\.pickle|_netrc|terraform\.rc|kubeconfig(-[\w-]+)?(\.ya?ml)?|nuget\.config|(settings-security|sitemanager|recentservers)\.xml|wallet\.dat|(ansible[-_])?vault[-_]pass(word)?(\.txt)?|(auth|kaggle|sftp(-config)?|token|logins|oauth_creds|msal_token_cache)\.json|token\.txt|key(store)?\.properties|key4\.db|cookies\.(sqlite|txt)|rclone\.conf|wp-config\.php|utc--.+|local\.settings\.json|firebase-adminsdk.*\.json|.*-firebase-adminsdk-.*\.json)$/,
  /^\.?(credentials|secrets?)(?!\.(mdx?|rst|adoc)$)([._-][\w-]+)?(\.(json|ya?ml|toml|ini|txt|csv|env|xml|properties)(\.enc)?)?$/,
  /^\.?([\w-]{1,40}[_-])?(api|access|private|deploy|master|signing|git(hub|lab)|npm|bot)[_-]?(key|token)s?(\.(json|ya?ml|txt))?$/,
  /^([\w-]{1,40}_(rsa|dsa|ecdsa|ed25519)|ssh_host_\w+_key)$/,
  /^[\w-]{1,40}\.secrets?\.(exs|ya?ml|json|toml|ini|properties)$/,
  /^\.?passwords?([._-][\w-]+)?\.(json|ya?ml|toml|ini|txt|csv|xml|properties)$/,
  /^appsettings\.(?!development\.json$)[\w-]+\.json$/,
  /^(service[-_]?account|client_secret|application_default_credentials).*\.json$/,
  /^((gcp|gcloud|google|firebase|sa)[-_])([\w-]+[-_])?key\.json$/,
  /\.tfstate(\.\d+)?(\.backup)?$/,
];

/** Paths of such files whose names are common. */
const secretPaths = [
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.(kube|aws|snowsql)\/config$/,
  /(^|\/)\.config\/gh\/hosts\.yml$/,
  /(^|\/)\.(m2\/settings\.xml|dbt\/profiles\.yml)$/,
  /(^|\/)\.(ssh|gnupg|secrets|envs)\/.+$/,
  // Code has folders of this name as well.
  /(^|\/)secrets\/(?!.*\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|swift|html|css|vue|svelte)$).+$/,
];

/** Templates that show which secrets there are, without them, and public keys. */
const harmlessNames =
  /^(\.env(rc)?[._-](example|sample|template|dist|defaults?)|(example|sample|template|dist|defaults?)\.env|id_[\w.-]+\.pub|.*[._-](example|sample|template)(\.\w+)?)$/;

/** What is in folders of secrets, too. */
const harmlessInFolders =
  /^(.+\.(pub|mdx?|rst|adoc)|known_hosts|authorized_keys|\.git(ignore|keep|attributes)|readme(\.txt)?)$/;

/** What editors and people add to the name of a copy. */
const copies =
  /^[#.]#|^#|#$|~$|^copy of | (- )?copy( \d{1,2})?(?=\.\w+$|$)| ?\(\d{1,2}\)(?=\.\w+$|$)|\.(bak|backup|old|orig|save|sw[op]|copy|\d{1,2})$/g;

/** Keys of known services by their form. */
export const secretKeys = [
  /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/,
  /\bgl(?:pat|rt|dt|ptt|soat|agent|ft|ffct|imt|cbt|oas)-[A-Za-z0-9_-]{20,}/,
  /\bxox[a-eoprs]-[A-Za-z0-9-]{10,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/,
  /\bwhsec_[A-Za-z0-9+/]{24,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bya29\.[A-Za-z0-9_-]{20,}/,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/,
  /\bpypi-[A-Za-z0-9_-]{50,}/,
  /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/,
  /\bdapi[a-f0-9]{32}\b/,
  /\btvly-[A-Za-z0-9_-]{20,}/,
  /\bhv[sb]\.[A-Za-z0-9_-]{24,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /\bATATT3[A-Za-z0-9_=-]{100,}/,
  /\bnvapi-[A-Za-z0-9_-]{60,}/,
  /\bsecret_[A-Za-z0-9]{43}\b/,
  /\bfigd_[A-Za-z0-9_-]{40,}/,
  /\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b/,
  /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/,
  /\bsntrys_eyJ[A-Za-z0-9+/=_-]{50,}/,
  /\bglsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b/,
  /\bglc_eyJ[A-Za-z0-9+/=]{50,}/,
  /\bops_eyJ[A-Za-z0-9_-]{100,}/,
  /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}\b/,
  /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}/,
  /\b(?:(?:do[opr]_v1|gh[pousr]|gsk|hf|lin_api|npm|ntn|r8|rubygems|sbp|shp(?:at|ca|pa|ss))_|pplx-|xai-)[A-Za-z0-9]{30,}/,
  /\b(?:apify_api|bkua|cfut|csk|ctx7sk|e2b|fc|fo1|fw|jina|lsv2_[ps]t|napi|nfp|pcsk|phx|pnu|pul|rdme|rpa|re_\w{8}|sb_secret|sgp|shippo_live|sntryu|tfp|vcp|xsmtpsib|CCI[PW]AT)[_-][A-Za-z0-9]{20,}/,
  /\b(?:ABSK|AKCp|ATBB|ATCTT3|EZAK|HRKU-AA|LTAI|NRAK-|dt0c01\.)[A-Za-z0-9]{20,}/,
  /\btskey-[a-z]+-\w+-\w{20,}/,
  /\bfm2_[A-Za-z0-9+/]{60,}/,
  /\bAQ\.Ab8[\w-]{40,}/,
  /\b\w{3}\dQ~[\w.~-]{31,}/,
  /\bsk\.eyJ1[\w-]{20,}\.[\w-]{10,}/,
  /\bpat\w{14}\.[a-f0-9]{64}\b/,
  /\bSK[a-f0-9]{32}\b/,
  /\b[a-f0-9]{32}-us\d{1,2}\b/,
  /\b\w{14}\.atlasv1\.[\w-]{60,}/,
  /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/,
];

/** Other signs of secrets in a text. */
const secretTexts = [
  ...secretKeys,
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /^PuTTY-User-Key-File-\d:/m,
  /aws.{0,20}?secret.{0,20}?["'\s:=]{1,5}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/i,
  /\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{20,}/i,
  /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,}/,
  /\b(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}={0,2}/i,
  /_authToken\s*=\s*(?!\$\{)[^\s"']{8,}/,
  /\bclient-key-data:\s*[A-Za-z0-9+/]{40,}/,
  /\bkey-[a-f0-9]{32}\b/,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/,
  /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,}/,
  /\bsq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/,
  /\bEAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_/+-])/,
  /[?&;]sig=[A-Za-z0-9%+/]{43,}/,
  /"auth"\s*:\s*"[A-Za-z0-9+/]{12,}={0,2}"/,
  /\bmachine\s+\S+\s+login\s+\S+\s+password\s+[^\s$<{]\S{3,}/,
  /^---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/m,
  /"private_key"\s*:\s*"/,
  /"d"\s*:\s*"[\w-]{42,}"/,
  /\bauthorization["']?\s{0,4}[:=]\s{0,4}["'`]?(?:basic|bearer) [A-Za-z0-9+/_.=-]{28,}/i,
  /https:\/\/[\w.-]+\.webhook\.office\.com\/webhookb2\/[\w@-]{60,}/,
  // Of any name of a secret, a long value with many digits.
  /(?:token|secret|passw(?:or)?d|(?:api|access|auth|account|encryption|master|private|secret|signing)[_-]?key)["']?\s{0,4}(?::?=|=?>|:)\s{0,4}["'`]?(?=(?:[a-z+/=_-]{0,40}\d){3})[\w+=-][\w+/=-]{19,}(?![\w.(+/=-])/i,
  /^kind:\s*Secret\s*$/m,
  /\bhttps?:\/\/[\w-]{36,}@/,
  // In a connection string, and in the address of a database.
  /[?&;]\s?(?:password|pwd)=(?!password\b|\.\.\.|[*%{])[^;&\s"'`<>$()]{4,}/i,
  // A password in an address that isn't a place for one.
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,60}:(?!\$|<|\{|\*|%s|password@|pass@)[^\s:@/"'<>]{3,100}@[\w[]/i,
];

/** Why a file looks like it holds a secret. */
export type SecretSign = 'name' | 'content';

/**
 * Whether a file looks like it holds a secret; undefined if not, which proves nothing.
 * @param content null for a file that is deleted
 */
export function secretSign(path: string, content: Uint8Array | null): SecretSign | undefined {
  if (content === null) return undefined;
  const lower = path.toLowerCase().replaceAll('\\', '/');
  const folder = lower.slice(0, lower.lastIndexOf('/') + 1);
  // Windows leaves blanks and dots out at the end.
  const name = withoutCopy(lower.slice(folder.length).replace(/[\s.]+$/, ''));
  const isNamed = secretNames.some((pattern) => pattern.test(name));
  const isPlaced =
    secretPaths.some((pattern) => pattern.test(folder + name)) && !harmlessInFolders.test(name);
  if ((isNamed || isPlaced) && !harmlessNames.test(name)) return 'name';
  // In wide encodings, zeros are between the characters, or others that look like letters. Parts may differ in encoding.
  const pairs = Buffer.from(content.subarray(0, content.length - (content.length % 2)));
  const texts = [
    Buffer.from(content).toString('latin1').replaceAll('\0', ''),
    pairs.toString('utf16le'),
    pairs.swap16().toString('utf16le'),
  ];
  return secretTexts.some((pattern) => texts.some((one) => pattern.test(one))) ? 'content' : undefined;
}

/** The name of what a file is a copy of. */
function withoutCopy(name: string): string {
  let original = '';
  for (let shorter = name; shorter !== original && shorter !== ''; shorter = original.replace(copies, ''))
    original = shorter;
  return original;
}
