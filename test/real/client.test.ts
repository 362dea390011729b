import assert from 'node:assert/strict';
import { realClient, realSuite } from './support/suite';
import { withSettings } from './support/releases';

realSuite('client', withSettings, () => {
  it('says', async () => {
    console.log(await realClient().getSettings().catch((e: unknown) => e));
    console.log(await realClient().searchSandboxSpecs());
    assert.ok(true);
  });
});
