/** Variables that say how git reaches servers and where it and its settings are, which stay. */
const kept = /^GIT_(?:ASKPASS|SSH.*|PROXY_.*|SSL_.*|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/i;

/**
 * The environment for a local git that never prompts. An editor that git or a hook started has variables that name other
 * places and options, so those are cleared.
 */
export function localGitEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || kept.test(name));
  const plain = {
    ...{ LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    // Objects that stand for others have other hashes.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  return { ...Object.fromEntries(own), ...plain, ...more };
}

/** A folder for a variable that lists several: in quotes, because its name may have what separates them. */
export const listedFolder = (folder: string): string => `"${folder.replaceAll(/[\\"]/g, '\\$&')}"`;
