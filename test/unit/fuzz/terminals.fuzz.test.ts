import { sequences, staysWhole } from '../place/scriptedSequences';
import { fuzz } from './support';

describe('fuzz: terminals in a sandbox', () => {
  fuzz('type everything once, show everything once, and leave nothing', sequences, staysWhole);
});
