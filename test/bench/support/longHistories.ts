import { startService } from '../../service/service';

/**
 * Runs a reference service whose conversations have finished long ago, each with this many events. Prints one line of
 * JSON once it’s ready.
 */
async function main([conversations = 0, events = 0]: number[]): Promise<void> {
  const service = await startService({
    ...{ profile: 'observed', sandboxes: 20, conversations, rateLimit: false },
    ...{ agents: '1.58.0', newerEvents: true, keptRequests: 1 },
  });
  const sandboxes = [...service.state.sandboxes.keys()];
  let number = 0;
  for (const record of service.state.conversations.values()) {
    record.execution_status = 'finished';
    record.updated_at = new Date(Date.now() - (number + 1) * 3_600_000).toISOString();
    record.sandbox_id = sandboxes[number % sandboxes.length] ?? '';
    const log = service.agentOf(record.id)?.log;
    while (log && log.all.length < events) {
      const of = log.all.length;
      if (of % 10 === 0)
        log.message('agent', `Part ${of} of job ${number}: ${'the slugs keep their digits. '.repeat(8)}`);
      else {
        const command = `pytest -q tests/test_${number}_${of}.py`;
        const call = log.action('terminal', { kind: 'TerminalAction', command });
        log.observation(call, 'TerminalObservation', `${of} passed in 0.${of} s\n`.repeat(12), {
          command,
          exit_code: 0,
        });
      }
    }
    // One in a hundred has what is searched.
    if (number % 100 === 50) log?.message('user', 'Where does the Zwetschge go?');
    // Fewer than the store waits for would stay behind.
    for (let more = 0; more < 5; more += 1) log?.message('agent', 'That is all.');
    number += 1;
  }
  console.log(JSON.stringify({ url: service.url, sessionKey: service.sessionKey }));
}

void main(process.argv.slice(2).map(Number));
