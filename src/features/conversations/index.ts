/** What other features, and compose, may import of this one. */
export { Arrangement } from './model/arrangement';
export { Shelf } from './model/shelf';
