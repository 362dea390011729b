/** What other features, and compose, may import of this one. */
export { profileLosses, useProfile } from './model/useProfile';
