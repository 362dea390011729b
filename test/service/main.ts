import { parseArgs } from 'node:util';
import type { Release } from './agent/release';
import { startAgentServer } from './agent/byItself';
import { lifelikeDelays } from './behaviour';
import { startService, type ProfileName, type ReferenceService, type ServiceOptions } from './service';

const usage = `Runs the reference service on 127.0.0.1 until interrupted.

  npm run service -- [options]

  --port N              port; 0, the default, takes any free one
  --profile NAME        observed (default): the service as people run it, pitfalls included
                        documented: only what the specification says
                        current: the generation that has its settings under /api/v1
                        hosted: that generation for many users, by source: signing in with
                        a code, organizations, and limits (state: "behaviour")
                        agentServer: a standalone agent server of the release in --agents
                        (1.58.0 by default); takes only --port, --key, and --seed; no /__control
  --key KEY             session key; a random one by default
  --seed                begin with lifelike data
  --sandboxes N         begin with N generated sandboxes
  --conversations N     begin with N generated conversations
  --agents RELEASE      simulate agents, with servers of release 1.7.1, 1.15.0, or 1.58.0
  --no-rate-limit       answer any number of requests
  --clock NAME          real (default), or manual: time moves only with POST /__control/advance
  --help

When ready, it prints one line of JSON: {"url","sessionKey"}.

Tests and people control it under {url}/__control, without a key; bodies are JSON:

  GET  state                    everything it holds, secrets included
  GET  requests?after=ID        the requests so far; violations: those without a key
  POST state                    merge records by id: change a conversation's title now with
                                {"conversations":[{"id":"ID","title":"Fix login"}]}
  POST show                     list a sandbox with a passing status for the next readings:
                                {"sandbox":"ID","status":"ERROR","readings":2}
  POST fail                     make the next requests fail; a 404 for settings, once:
                                {"method":"GET","path":"/api/settings","effect":
                                {"kind":"answer","status":404,"body":{"error":"Settings not found"}}}
                                "times": a number or "always"; other kinds: faults.ts
  POST restart                  as if its process restarted: sandboxes are gone
  POST release, clear           let requests held by rule {"id":N} continue; end all rules
  POST reset                    start over: {"seed":"lifelike"} or {"sandboxes":N,"conversations":N}
  POST wait                     answer when a request arrives: {"method","path","phase","after"}
  POST advance                  advance a manual clock: {"ms":N}
`;

type Options = Omit<ServiceOptions, 'profile'> & { profile: ProfileName | 'agentServer' };

class UsageError extends Error {}

function readOptions(args: string[]): Options | 'help' {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '0' },
        profile: { type: 'string', default: 'observed' },
        key: { type: 'string' },
        seed: { type: 'boolean', default: false },
        sandboxes: { type: 'string' },
        conversations: { type: 'string' },
        agents: { type: 'string' },
        'no-rate-limit': { type: 'boolean', default: false },
        clock: { type: 'string', default: 'real' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return 'help';
  const { key, sandboxes, conversations } = values;
  if (values.seed && (sandboxes !== undefined || conversations !== undefined))
    throw new UsageError("--seed can't be combined with --sandboxes or --conversations");
  if (key === '') throw new UsageError('--key must not be empty');
  const profile = readChoice('--profile', values.profile, [
    'documented',
    'observed',
    'current',
    'hosted',
    'agentServer',
  ]);
  return {
    port: readNumber('--port', values.port, 65_535),
    profile,
    clock: readChoice('--clock', values.clock, ['real', 'manual']),
    seed: values.seed ? 'lifelike' : 'none',
    sandboxes: readNumber('--sandboxes', sandboxes ?? '0', 1_000_000),
    conversations: readNumber('--conversations', conversations ?? '0', 1_000_000),
    agents:
      values.agents === undefined
        ? undefined
        : readChoice<Release>('--agents', values.agents, ['1.7.1', '1.15.0', '1.58.0']),
    rateLimit: !values['no-rate-limit'],
    errorWhilePausing: true,
    delays: lifelikeDelays,
    ...(key === undefined ? {} : { sessionKey: key }),
  };
}

function readNumber(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > highest)
    throw new UsageError(`${name} must be a whole number from 0 to ${highest}, not '${text}'`);
  return value;
}

function readChoice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new UsageError(`${name} must be ${choices.join(' or ')}, not '${text}'`);
  return choice;
}

function start({
  profile,
  ...options
}: Options): Promise<Pick<ReferenceService, 'url' | 'sessionKey' | 'close'>> {
  if (profile !== 'agentServer') return startService({ ...options, profile });
  const { agents: release = '1.58.0', seed } = options;
  return startAgentServer({ ...options, release, seed: seed === 'lifelike' });
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  const service = await start(options);
  const end = () => {
    process.off('SIGINT', end).off('SIGTERM', end);
    void service.close();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  process.stdout.write(`${JSON.stringify({ url: service.url, sessionKey: service.sessionKey })}\n`);
}

main().catch((error: unknown) => {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}` : `${message}\n`);
});
