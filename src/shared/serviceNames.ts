/** What the current generation accepts as a model profile's name. `.` and `..` would reach another route. */
export const profileName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** What the current generation accepts as a custom secret's name, which is an environment variable in sandboxes. */
export const secretName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What an agent server accepts as an agent profile's name. */
export const agentProfileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
