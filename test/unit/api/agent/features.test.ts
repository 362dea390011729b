import assert from 'node:assert/strict';
import { featuresOf } from '../../../../src/api/agent/features';

describe('features of an agent server', () => {
  const latest = [
    'branches',
    'countsEvents',
    'errorsAnswerActions',
    'fileByQuery',
    'interrupts',
    'messageRejects',
    'pausesAtOnce',
    'rejects',
    'revivesStuck',
    'sockets',
  ];
  const table: [version: string | null, on: string[]][] = [
    [null, ['blocksWhileRunning', 'holdsMessages']],
    ['nightly', ['blocksWhileRunning', 'holdsMessages']],
    ['1.0.0a5', ['blocksWhileRunning', 'holdsMessages']],
    ['1.7.1', ['blocksWhileRunning', 'holdsMessages', 'rejects']],
    ['1.11.4', ['blocksWhileRunning', 'holdsMessages', 'rejects']],
    ['1.12.0', ['errorsAnswerActions', 'holdsMessages', 'rejects']],
    ['1.15.0', ['errorsAnswerActions', 'fileByQuery', 'holdsMessages', 'rejects', 'revivesStuck']],
    [
      '1.16.9',
      ['errorsAnswerActions', 'fileByQuery', 'holdsMessages', 'pausesAtOnce', 'rejects', 'revivesStuck'],
    ],
    [
      '1.17.0',
      [
        'errorsAnswerActions',
        'fileByQuery',
        'holdsMessages',
        'pausesAtOnce',
        'rejects',
        'revivesStuck',
        'sockets',
      ],
    ],
    [
      'v1.27',
      [
        'errorsAnswerActions',
        'fileByQuery',
        'holdsMessages',
        'interrupts',
        'pausesAtOnce',
        'rejects',
        'revivesStuck',
        'sockets',
      ],
    ],
    [
      '1.33.0',
      [
        'errorsAnswerActions',
        'fileByQuery',
        'interrupts',
        'pausesAtOnce',
        'rejects',
        'revivesStuck',
        'sockets',
      ],
    ],
    ['1.49.1', latest],
    ['1.58.0', latest],
    ['nightly-1.58', ['blocksWhileRunning', 'holdsMessages']],
    ['10.2', latest],
    ['2.0', latest],
  ];
  for (const [version, on] of table) {
    it(`are ${on.join(', ')} in release ${version}`, () => {
      const features = Object.entries(featuresOf(version));
      assert.deepEqual(features.flatMap(([name, has]) => (has ? [name] : [])).sort(), on);
    });
  }
});
