/** What other features, and compose, may import of this one. */
export { AttentionFeed, type News } from './model/attentionFeed';
export { OtherConnections, type Reached } from './model/otherConnections';
export { ReadMarks } from './model/readMarks';
export { ToldNews } from './model/toldNews';
