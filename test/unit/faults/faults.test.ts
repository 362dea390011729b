import { bodies } from './bodies';
import { places } from './places';
import { recovery } from './recovery';
import { describeRows } from './rows';
import { describeStatuses } from './statuses';
import { wordsAndSecrets } from './words';

/** Every fault over every endpoint that it can meet, on real loopback servers; the last part is the list itself. */
describe('faults', function () {
  this.timeout(120_000);
  bodies();
  describeStatuses();
  places();
  recovery();
  wordsAndSecrets();
  describeRows();
});
