/** The last part of a path of any system, or of a name with slashes, such as a model’s; all of it if there is none. */
export const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
