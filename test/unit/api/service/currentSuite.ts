import type { ApiClient } from '../../../../src/api/service/client';
import type { SettingsBody } from '../../../../src/api/service/schemas/settings';
import { startService, type ReferenceService } from '../../../service/service';
import { testClient } from '../support/client';

/** A service of the current generation, as new before each test, and a client that has read its settings. */
export class CurrentSuite {
  service!: ReferenceService;
  client!: ApiClient;

  constructor() {
    before(async () => {
      this.service = await startService({ profile: 'current' });
    });
    beforeEach(async () => {
      this.service.reset({ seed: 'lifelike' });
      ({ client: this.client } = testClient(this.service.url, { sessionKey: this.service.sessionKey }));
      await this.client.getSettings();
    });
    after(() => this.service.close());
  }

  /** The bodies of all changes that were sent. */
  get posts(): unknown[] {
    return this.service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  }

  /** Saves whatever a test makes up. */
  save(body: object): Promise<void> {
    return this.client.postSettings(body as SettingsBody);
  }
}
