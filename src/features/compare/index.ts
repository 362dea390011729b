/** What other features, and compose, may import of this one. */
export { comparedAttempt } from './model/attempt';
export { changedIn } from './model/changed';
export { isSameRepository } from './model/sameRepository';
