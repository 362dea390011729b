import * as fc from 'fast-check';

/** Gives every property of this process the seed of the round, and its number of cases unless it has its own. */
fc.configureGlobal({
  seed: Number(process.env['FUZZ_SEED']),
  numRuns: Number(process.env['FUZZ_RUNS']),
  includeErrorInReport: true,
});
