/** A text as one word of the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A function of the shell that prints the address of a remote: as it’s written, unless it may begin with a name that
 * git’s settings replace (`url.<base>.insteadOf`).
 */
export const addressOfFunction = `address_of() {
  url=$(git config --get "remote.$1.url") || url=
  case $url in '' | http://* | https://* | ssh://* | *@*) ;; *) git remote get-url "$1" 2> /dev/null && return ;; esac
  printf '%s\\n' "$url"
}`;
