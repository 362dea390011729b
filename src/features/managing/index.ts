/** What other features, and compose, may import of this one. */
export {
  addAgent,
  addProfile,
  addProvider,
  addSecret,
  profileTaken,
  providerTaken,
  secretTaken,
} from './model/adding';
