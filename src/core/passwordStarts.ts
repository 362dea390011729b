/**
 * Tools, their options before a password, which is in the same word or the next one, and what stands between: a user, or
 * nothing. Other tools have other meanings for most of these options.
 */
const table = (
  [
    // Without a value, these ask for it.
    ['mysql\\w*|mariadb[\\w-]*|mycli|7z\\w*|(?:un)?rar', 'h?p(?=.)'],
    ['sshpass|mongo\\w*|login', 'p'],
    ['sqlcmd|bcp|(?:un)?zip|mosquitto_\\w+|ipmitool|ssh-keygen', '[PN]'],
    ['redis-cli', 'a'],
    ['ldap\\w+', 'w'],
    ['openssl', 'k'],
    ['keytool|jarsigner', '\\w+pass'],
    ['openssl', 'pass\\w*', 'pass:'],
    ['curl|wget', '\\w*?[uUbE]', '[^:=]+[:=]'],
    ['http|xh|ab', '[aA]', '[^:]+:'],
    ['smb\\w+|rpcclient|net', '(?:U|-user=?)', '[^%]+%'],
    ['lftp', 'u', '[^,]+,'],
  ] as const
).map(([tools, option, before = '']) => ({
  tools: new RegExp(`^(?:${tools})$`),
  option: new RegExp(`^-${option}$`),
  before: new RegExp(`^${before}(?=.)`, 's'),
  joined: new RegExp(`^-${option}${before}(?=.)`, 's'),
}));

/** For each word of a command line, where a password begins in it that reaches to its end, as its tool takes it. */
export function passwordStarts(words: readonly string[]): (number | undefined)[] {
  let tool = '';
  let isBatch = false;
  return words.map((word, index) => {
    const before = words[index - 1] ?? '';
    const next = words[index + 1] ?? ';';
    const own = table.filter(({ tools }) => tools.test(tool));
    const [found] = own.flatMap(({ option, before: user, joined }) => [
      ...(option.test(before) ? (user.exec(word) ?? []) : []),
      ...(joined.exec(word) ?? []),
    ]);
    if (found !== undefined) return found.length;
    // Takes the password after the name of a file and a user.
    if (tool === 'htpasswd' && /^-\w*b/.test(word)) isBatch = true;
    else if (isBatch && isEnd(next)) return 0;
    const [, name = ''] = /([^\\/]+?)(?:\.exe)?$/i.exec(word) ?? [];
    if (isEnd(word)) [tool, isBatch] = ['', false];
    else if (name === 'htpasswd' || table.some(({ tools }) => tools.test(name))) tool = name;
    return undefined;
  });
}

const isEnd = (word: string) => /^(?:[;&|]+)$/.test(word);
