import assert from 'node:assert/strict';
import { ListeningWatch } from '../../../src/features/place/model/listening';
import type { Entry, StepEntry } from '../../../src/shared/transcript';
import { Refusal } from '../../../src/core/basics/refusal';
import { FakeModel } from '../../support/conversation/fakeModel';
import { FakeClock } from '../api/support/clock';

/** A conversation whose sandbox answers with these lines of the ports’ list. */
class Watched {
  readonly model = new FakeModel();
  readonly clock = new FakeClock();
  readonly found: string[] = [];
  commands = 0;
  /** When it was looked, in milliseconds. */
  readonly looks: number[] = [];
  /** Of programs in the agent’s folder. */
  ports: number[] = [];
  /** Of others. */
  others: number[] = [];
  fails: Error | undefined;
  readonly watch: ListeningWatch;

  constructor() {
    const execute = () => {
      this.commands += 1;
      this.looks.push(this.clock.now());
      const all = [...this.ports, ...this.others];
      const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
      const lines = all.map((port) => `${hex(port)} 00000000 ${port}`);
      const programs = all.map((port) => `${this.others.includes(port) ? '=' : '+'} ${port} node vite`);
      return Promise.resolve({ exitCode: 0, stdout: [...lines, ...programs].join('\n'), stderr: '' });
    };
    const place = () =>
      this.fails
        ? Promise.reject(this.fails)
        : Promise.resolve({ workspace: { execute }, workingDir: '/work' });
    Object.assign(this.model, { changes: { place } });
    this.watch = new ListeningWatch(
      this.model,
      this.clock,
      (port, { id }) => void this.found.push(`${port} ${id}`),
    );
  }

  async runs(execution: 'running' | 'finished', entries: readonly Entry[]): Promise<void> {
    this.model.set({ head: { ...this.model.head, execution }, entries });
    await this.clock.pass(0);
  }
}

const said: Entry = {
  ...{
    kind: 'message',
    id: 'm',
    at: 1,
    from: 'user',
    text: { text: 'Go', length: 2 },
    images: 0,
    thought: '',
  },
};
const command = (id: string, state: StepEntry['state'] = 'done'): Entry => ({
  ...{ kind: 'step', id, at: 2, state, thought: '', summary: '', risk: 'LOW', took: null },
  problem: { text: '', length: 0 },
  detail: { step: 'terminal', command: 'npm run dev &', output: null, exitCode: null },
});

describe('ports on which an agent’s programs begin to listen', () => {
  it('are found after its commands, each once, and not those that listened before', async () => {
    const test = new Watched();
    test.ports = [3000];
    await test.runs('running', [said]);
    test.ports = [3000, 5173];
    test.others = [8080];
    await test.runs('running', [said, command('a')]);
    await test.clock.pass(1_000);
    assert.deepEqual(test.found, ['5173 a']);
    // A program may take its time.
    test.ports.push(4000);
    await test.clock.pass(4_000);
    assert.deepEqual(test.found, ['5173 a', '4000 a']);
    await test.runs('running', [said, command('a'), command('b')]);
    await test.clock.pass(60_000);
    assert.deepEqual(test.found, ['5173 a', '4000 a']);
    test.watch.dispose();
  });

  it('are found when the command that started them is read together with the end of the turn', async () => {
    const test = new Watched();
    await test.runs('running', [said]);
    test.ports = [5173];
    await test.runs('finished', [said, command('a')]);
    await test.clock.pass(1_000);
    assert.deepEqual(test.found, ['5173 a']);
  });

  it('are found in a turn that somebody joins, and aren’t looked for in one that’s over', async () => {
    const test = new Watched();
    test.ports = [5173];
    await test.runs('finished', [said, command('a')]);
    await test.clock.pass(60_000);
    assert.deepEqual([test.commands, test.found], [0, []]);
    await test.runs('running', [said, command('a'), command('b', 'running')]);
    await test.clock.pass(1_000);
    assert.deepEqual(test.found, ['5173 b']);
  });

  it('are looked for soon after the first of several commands, and again some time after the last', async () => {
    const test = new Watched();
    await test.runs('running', [said]);
    await test.runs('running', [said, command('a', 'running')]);
    await test.clock.pass(900);
    await test.runs('running', [said, command('a')]);
    await test.clock.pass(2_000);
    // The text of the command is no news.
    await test.runs('running', [said, command('a'), said]);
    await test.clock.pass(60_000);
    assert.deepEqual(test.looks, [0, 1_000, 5_900]);
  });

  it('are those of commands that were run, of this turn', async () => {
    const test = new Watched();
    test.ports = [3000];
    // What listens before the first command isn’t of this turn.
    await test.runs('running', [said, command('a'), said]);
    test.ports.push(5173);
    await test.runs('running', [said, command('a'), said, command('b', 'rejected'), command('c', 'pending')]);
    await test.clock.pass(60_000);
    assert.deepEqual([test.looks, test.found], [[0], []]);
    await test.runs('running', [said, command('a'), said, command('b', 'rejected'), command('c', 'failed')]);
    await test.clock.pass(60_000);
    assert.deepEqual(test.found, ['5173 c']);
    await test.runs('finished', [said, command('c', 'failed')]);
    test.ports.push(4000);
    await test.runs('finished', [said, command('c', 'failed'), command('d')]);
    await test.clock.pass(60_000);
    assert.deepEqual(test.found, ['5173 c']);
  });

  it('are nothing anymore when somebody stops watching while the sandbox is asked', async () => {
    const test = new Watched();
    await test.runs('running', [said]);
    test.ports = [5173];
    await test.runs('running', [said, command('a')]);
    test.clock.advance(1_000);
    test.watch.dispose();
    await test.clock.pass(0);
    assert.deepEqual([test.looks, test.found], [[0, 1_000], []]);
  });

  it('cost few commands, however many the agent runs', async () => {
    const test = new Watched();
    await test.runs('running', [said]);
    const entries: Entry[] = [said];
    for (let count = 0; count < 1_800; count += 1) {
      entries.push(command(`c${count}`));
      await test.runs('running', entries.slice());
      await test.clock.pass(2_000);
    }
    assert.ok(test.commands > 60 && test.commands < 75, `${test.commands} commands in an hour`);
  });

  it('are nothing where the sandbox can’t be asked, or nobody looks anymore', async () => {
    const test = new Watched();
    test.fails = new Refusal('asleep');
    await test.runs('running', [said, command('a')]);
    await test.clock.pass(10_000);
    test.fails = undefined;
    test.ports = [5173];
    await test.runs('running', [said, command('a'), command('b')]);
    test.watch.dispose();
    await test.clock.pass(10_000);
    assert.deepEqual([test.commands, test.found, test.clock.running], [0, [], []]);
  });
});
