/** Addresses in a text keep only scheme, host and path: user names and queries carry secrets. */
const addressParts =
  /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>@]{0,200}:[^\s"'<>]{0,200}@|[^\s/?#"'<>@]{0,200}@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gi;

/** The value after the name of a header or member that carries a secret, in any case and with any quotes. */
const namedSecrets =
  /((?:x-[\w-]{0,40}(?:auth|key|token)|authorization|(?:set-)?cookie|[\w-]{0,40}(?:(?:api|access|account|private|session|signing)[_ -]?key(?: provided)?|token|secret|passw(?:or)?d|passphrase|jwt|[_-](?:auth|pass|pat|pwd|sig)|(?<=;\s?)pwd))(?:\\?["']?\s*(?:=>|[:=])|["']\s*,|(?<=--[\w-]{1,60})(?=\s))\s*\[?\\?)(?:(?:digest|aws4-hmac-sha256|hawk) [^\r\n]*|(?:(?:apikey|basic|bearer|bot|negotiate|token)\s+)?("(?:\\.|[^"\\])*"?|'[^']*'?|[^\s,;"'}]+(?:; ?[\w.-]+=[^\s,;"'}]+)*))/gi;

const bearers = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;

/** Keys of services by their forms, as providers of models repeat them. */
const keys = /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|tvly-|hf_|AKIA|AIza)[\w-]{16,}/g;

/** A text of another program without what looks like a secret there, whether or not it's known. */
export const withoutNamedSecrets = (text: string, blot = '•••'): string =>
  text
    .replace(addressParts, '$1$2')
    .replace(namedSecrets, `$1${blot}`)
    .replace(bearers, `$1 ${blot}`)
    .replace(keys, blot);
