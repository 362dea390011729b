import type * as fc from 'fast-check';
import { sequences, staysWhole } from '../place/scriptedSequences';
import { fuzz } from './support';

type Sequence = typeof sequences extends fc.Arbitrary<infer T> ? T : never;

type Step = Sequence['steps'][number];
const step = (what: Step['what'], ms: Step['ms'], fate: 'fine' | 'slow'): Step => ({
  ...{ what, at: 0, ms, size: 1, fates: [fate] },
});

/** The key changes while a shell is opened, and nobody waits for it anymore. */
const renewedWhileOpening: Sequence = {
  ...{ segment: 4096, without: [], fates: ['slow'], lastFates: [], last: 'end' },
  steps: [
    ...[step('type', 0, 'fine'), step('type', 0, 'fine'), step('type', 30, 'slow')],
    ...[step('renew', 0, 'fine'), step('end', 0, 'fine')],
  ],
};

describe('fuzz: terminals in a sandbox', () => {
  fuzz('type everything once, show everything once, and leave nothing', sequences, staysWhole, [
    renewedWhileOpening,
  ]);
});
