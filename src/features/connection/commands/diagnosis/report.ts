import * as l10n from '@vscode/l10n';
import type { Proxy } from '../../../../api/http/proxy';
import type { Connection } from '../../../../shared/connection';
import { nameList } from '../../../../shared/joined';
import { fieldLabel } from '../../../../shared/settings';
import { describeCheck, keyWarning } from '../../../../editor/checkText';
import { describeError } from '../../../../editor/errorText';
import type { DiagnosisAnswers, EndpointAnswer } from './answers';
import type { NameFound, TlsSeen } from './way';
import { connectionLines, line, nameLines, tlsLines } from './wayLines';

/** What a diagnosis found. */
export interface Findings {
  connection: Connection;
  /** Versions of extension, editor and system: one line. */
  surroundings: string;
  /** ISO 8601. */
  madeAt: string;
  hasKey: boolean;
  proxy: Proxy | undefined;
  name: NameFound;
  /** Undefined for http; `optionProblem` where the network options can't be used. */
  tls: TlsSeen | undefined;
  optionProblem: string | undefined;
  answers: DiagnosisAnswers;
}

/**
 * A report to share when asking for help: what is known about the way to the service and its answers. Made from an
 * allow-list of harmless facts: no file paths, no key, and no bodies of answers.
 */
export function reportOf(findings: Findings): string {
  const { connection, answers, optionProblem } = findings;
  const sections: [title: string, lines: string[]][] = [
    [l10n.t('Result'), resultLines(findings)],
    [l10n.t('Connection'), connectionLines(connection, findings.proxy)],
    [l10n.t('Host name (DNS)'), nameLines(findings.name, connection)],
    [
      l10n.t('Certificate (TLS)'),
      optionProblem === undefined ? tlsLines(findings.tls, connection) : [optionProblem],
    ],
    [l10n.t('Answers'), answers.endpoints.flatMap(endpointLines)],
    [l10n.t('Session key'), keyLines(findings)],
    [l10n.t('Service generation'), generationLines(answers, connection)],
  ];
  const head = [
    l10n.t('Agent Workspace: diagnosis of “{0}”', line(connection.name)),
    l10n.t('Created {0} with {1}.', findings.madeAt, findings.surroundings),
    l10n.t('Contains no session key, and nothing stored on the service. Read it before you share it.'),
  ];
  return `${[head, ...sections.map(([title, lines]) => ['', title, ...lines.map((one) => `  ${one}`)])].flat().join('\n')}\n`;
}

function resultLines({ answers, hasKey }: Findings): string[] {
  const problem = describeCheck(answers.check);
  if (!hasKey && answers.check.kind === 'refused') {
    return [
      l10n.t('The service answers, but there’s no session key for it on this computer.'),
      l10n.t('Next step: {0}', l10n.t('Run Set Session Key.')),
    ];
  }
  return problem === undefined
    ? [l10n.t('The service answers and accepts the session key.')]
    : [problem.message, l10n.t('Next step: {0}', problem.nextStep)];
}

function endpointLines({
  method,
  route,
  status,
  contentType,
  ms,
  bytes,
  tries,
  expected,
  error,
}: EndpointAnswer): string[] {
  const facts = [
    status === undefined ? l10n.t('no answer') : l10n.t('HTTP {0}', status),
    line(contentType ?? '', 60),
    l10n.t('{0} ms', ms),
    l10n.t('{0} bytes', bytes),
    tries > 1 ? l10n.t('{0} tries', tries) : '',
  ];
  const problem = error
    ? `${describeError(error).message}${error.code === undefined ? '' : ` [${line(error.code, 60)}]`}`
    : expected
      ? l10n.t('Expected: not every service has this.')
      : undefined;
  return [`${method} ${route}: ${facts.filter(Boolean).join(', ')}`, ...(problem ? [`  ${problem}`] : [])];
}

function keyLines({ hasKey, answers: { enforcement, listsEnforcement } }: Findings): string[] {
  const stored = hasKey
    ? l10n.t('Stored on this computer for this address.')
    : l10n.t('Not stored on this computer for this address. A made-up key was sent.');
  switch (enforcement.kind) {
    case 'yes':
      return [
        stored,
        l10n.t('Required by the service: without a key, the settings were refused.'),
        ...(listsEnforcement.kind === 'no'
          ? [
              l10n.t(
                'Not required for sandboxes and conversations: anyone who can reach the address can see and change them.',
              ),
            ]
          : []),
      ];
    case 'no':
      return [
        stored,
        l10n.t(
          'Not required by the service: anyone who can reach the address can read and change the settings.',
        ),
      ];
    case 'unknown':
      return [
        stored,
        l10n.t('Can’t tell whether the service requires it: {0}', describeError(enforcement.error).message),
      ];
  }
}

function generationLines({ service, release }: DiagnosisAnswers, { baseUrl }: Connection): string[] {
  if (service === undefined) return [l10n.t('Unknown: the settings couldn’t be read.')];
  const { replaces, lacks } = service.abilities({});
  const words = service.sandboxes
    ? replaces
      ? l10n.t('Settings at /api/settings, replaced as a whole by each save.')
      : l10n.t('Settings at /api/v1/settings; a save sends only what changed.')
    : l10n.t('This is a standalone agent server: it has conversations, but no sandboxes.');
  const lacking = service.sandboxes
    ? [
        ...(service.profiles ? [] : [l10n.t('Model profiles')]),
        ...(service.secrets ? [] : [l10n.t('Custom secrets')]),
        ...(service.repositories ? [] : [l10n.t('List of repositories')]),
        ...(replaces ? [l10n.t('More settings')] : lacks.map(fieldLabel)),
      ]
    : [];
  return [
    words,
    ...(service.sandboxes ? [] : [keyWarning({ release, capabilities: [] }, baseUrl)]),
    release === undefined
      ? l10n.t('Release: not reported by the service.')
      : l10n.t('Release: {0}', line(release, 40)),
    ...(lacking.length === 0 ? [] : [l10n.t('Not available on this service: {0}.', nameList(lacking))]),
  ];
}
