import * as l10n from '@vscode/l10n';
import type { Proxy } from '../../api/proxy';
import type { Connection } from '../../shared/connection';
import { plainText } from '../../shared/plainText';
import { describeCheck } from '../checkText';
import { describeError } from '../errorText';
import type { Answers, EndpointAnswer } from './answers';
import type { NameFound, TlsSeen } from './way';

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
  /** Undefined for http; `optionProblem` where the network options cannot be used. */
  tls: TlsSeen | undefined;
  optionProblem: string | undefined;
  answers: Answers;
}

/**
 * A report for a stranger who helps: what is known about the way to the service and its answers. Made of an allow-list
 * of harmless facts; the paths of files, the key and the bodies of answers are not among them.
 */
export function reportOf(findings: Findings): string {
  const { connection, answers, optionProblem } = findings;
  const sections: [title: string, lines: string[]][] = [
    [l10n.t('Result'), resultLines(findings)],
    [l10n.t('Connection'), connectionLines(findings)],
    [l10n.t('Name of the host (DNS)'), nameLines(findings.name, connection)],
    [
      l10n.t('Certificate (TLS)'),
      optionProblem === undefined ? tlsLines(findings.tls, connection) : [optionProblem],
    ],
    [l10n.t('Answers'), answers.endpoints.flatMap(endpointLines)],
    [l10n.t('Session key'), keyLines(findings)],
    [l10n.t('Generation of the service'), [generation(answers)]],
  ];
  const head = [
    l10n.t('Agent Workspace: diagnosis of the connection “{0}”', line(connection.name)),
    l10n.t('Made {0} with {1}.', findings.madeAt, findings.surroundings),
    l10n.t(
      'It holds no session key and nothing of what the service stores; look it over before you pass it on.',
    ),
  ];
  return `${[head, ...sections.map(([title, lines]) => ['', title, ...lines.map((one) => `  ${one}`)])].flat().join('\n')}\n`;
}

/** Text of unknown origin as one line. */
const line = (text: string, max = 200) => plainText(text, max);

function resultLines({ answers, hasKey }: Findings): string[] {
  const problem = describeCheck(answers.check);
  if (!hasKey && answers.check.kind === 'refused') {
    return [
      l10n.t('The service answers. There is no session key for it on this computer.'),
      l10n.t('Next step: {0}', l10n.t('Run Set Session Key.')),
    ];
  }
  return problem === undefined
    ? [l10n.t('The service answers and accepts the session key.')]
    : [problem.message, l10n.t('Next step: {0}', problem.nextStep)];
}

function connectionLines({ connection, proxy }: Findings): string[] {
  const options = Object.entries(connection.network ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const sources: Record<Proxy['source'], string> = {
    connection: l10n.t('the network options of the connection'),
    editor: l10n.t('the editor’s settings'),
    environment: l10n.t('environment variables'),
  };
  return [
    l10n.t('Address: {0}', line(connection.baseUrl)),
    options.length === 0
      ? l10n.t('Network: the editor’s own settings')
      : l10n.t('Network: options of its own ({0})', options.join(', ')),
    proxy === undefined
      ? l10n.t('Proxy: none is named by settings or environment')
      : l10n.t('Proxy: {0}, from {1}', line(proxy.address), sources[proxy.source]),
  ];
}

function nameLines(name: NameFound, { baseUrl }: Connection): string[] {
  const { hostname } = new URL(baseUrl);
  switch (name.kind) {
    case 'number':
      return [l10n.t('{0} is an address already; there is no name to look up.', hostname)];
    case 'found':
      return [l10n.t('{0} is {1}', hostname, name.addresses.slice(0, 8).join(', '))];
    case 'failed':
      return [
        l10n.t(
          '{0} was not found from this computer ({1}). A proxy may know it all the same.',
          hostname,
          name.code,
        ),
      ];
  }
}

function tlsLines(tls: TlsSeen | undefined, { baseUrl }: Connection): string[] {
  if (tls === undefined) {
    return [l10n.t('None: {0} is not encrypted.', new URL(baseUrl).protocol.replace(':', ''))];
  }
  const { refused, protocol = '', certificate } = tls;
  return [
    refused === undefined
      ? l10n.t('Accepted ({0})', protocol)
      : l10n.t(
          'Not accepted: {0}. What the editor itself trusts beyond that shows in the answers.',
          line(refused),
        ),
    ...(certificate
      ? [
          l10n.t('For: {0} ({1})', line(certificate.subject), line(certificate.names)),
          l10n.t('Issued by: {0}', line(certificate.issuer)),
          l10n.t('Valid from {0} to {1}', line(certificate.validFrom), line(certificate.validTo)),
        ]
      : []),
  ];
}

function endpointLines({
  method,
  route,
  status,
  contentType,
  ms,
  bytes,
  tries,
  error,
}: EndpointAnswer): string[] {
  const facts = [
    status === undefined ? l10n.t('no answer') : l10n.t('HTTP {0}', status),
    contentType === undefined || contentType === '' ? '' : line(contentType, 60),
    l10n.t('{0} ms', ms),
    l10n.t('{0} bytes', bytes),
    tries > 1 ? l10n.t('{0} tries', tries) : '',
  ];
  const problem =
    error && `${describeError(error).message}${error.code === undefined ? '' : ` [${line(error.code, 60)}]`}`;
  return [`${method} ${route}: ${facts.filter(Boolean).join(', ')}`, ...(problem ? [`  ${problem}`] : [])];
}

function keyLines({ hasKey, answers: { enforcement } }: Findings): string[] {
  const stored = hasKey
    ? l10n.t('There is one on this computer for this address.')
    : l10n.t('There is none on this computer for this address; a made-up one was sent.');
  switch (enforcement.kind) {
    case 'yes':
      return [stored, l10n.t('The service asks for it: without one the settings were refused.')];
    case 'no':
      return [
        stored,
        l10n.t(
          'The service does not ask for it: whoever reaches the address can read and change the settings.',
        ),
      ];
    case 'unknown':
      return [
        stored,
        l10n.t('Whether the service asks for it is not known: {0}', describeError(enforcement.error).message),
      ];
  }
}

function generation({ check }: Answers): string {
  switch (check.kind) {
    case 'ok':
    case 'neverSaved':
      return l10n.t('The one that this extension is made for (/api/settings).');
    case 'newerGeneration':
      return l10n.t('A newer one, whose settings are at /api/v1/settings; this version cannot read them.');
    case 'refused':
    case 'failed':
      return l10n.t('Not known: the settings could not be read.');
  }
}
