/** What other features, and compose, may import of this one. */
export { addAgent, addProfile, addProvider, addSecret, nameTaken, providerTaken } from './model/adding';
