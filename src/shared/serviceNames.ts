/** What the current generation takes for the name of a model profile. `.` and `..` would reach another route. */
export const profileName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** What the current generation takes for the name of a custom secret, which is an environment variable in sandboxes. */
export const secretName = /^[A-Za-z_][A-Za-z0-9_]*$/;
