import * as l10n from '@vscode/l10n';
import { ApiError, isRunLimit } from '../../../api/http/errors';
import { plainText } from '../../../shared/plainText';
import { StartFailed } from './startConversation';

/** What a service said when it refused to run more at once. */
export interface ToldLimit {
  /** In its own words, as one line. */
  words: string;
  /** How many it runs at once; undefined if it didn’t say. */
  most: number | undefined;
}

/** What services said about their limits since this window was opened. */
export class ToldLimits {
  private readonly told = new Map<string, ToldLimit>();
  private readonly held = new Map<string, string>();

  /** What a service said last; undefined if it said nothing, or has run more since then. */
  of(service: string): ToldLimit | undefined {
    return this.told.get(service);
  }

  /** Notes what a service said, if an error is about its limit. */
  note(service: string, error: unknown): void {
    const limit = limitIn(error);
    if (limit) this.told.set(service, limit);
  }

  /** Notes that the conversation of a start is there, but that its agent may not work now. */
  hold(service: string, startId: string, error: ApiError): void {
    this.note(service, error);
    this.held.set(startId, error.serverText ?? '');
  }

  /** Why the agent of a start may not work now, in the service’s words, if it has any; undefined if it may. */
  heldWith(startId: string): string | undefined {
    return this.held.get(startId);
  }

  /** Notes that a start has succeeded. */
  started(service: string, startId: string): void {
    if (!this.held.has(startId)) this.ran(service);
  }

  /** Notes that a service runs one more, or why it doesn’t. A refusal without a number was only about that moment. */
  ran(service: string, error?: unknown): void {
    if (error !== undefined) this.note(service, error);
    else if (this.of(service)?.most === undefined) this.told.delete(service);
  }
}

/** In the reason of a start that the service gave up; it repeats what its agent server answered. */
const ofTask =
  /\b429\b|limit[_ ](?:(?:was|is|has been) )?(?:reached|exceeded)|too many (?:running|concurrent|active)|maximum (?:number of )?(?:\w+ )?(?:sandboxes|conversations|agents)/i;

/** What an error says about the service’s limit; undefined if it’s about something else. */
export function limitIn(error: unknown): ToldLimit | undefined {
  if (error instanceof ApiError && isRunLimit(error))
    return { words: error.serverText ?? '', most: error.limit };
  return error instanceof StartFailed &&
    ofTask.test(error.message) &&
    !/\b(?:daily|quota)\b/i.test(error.message)
    ? { words: plainText(error.message, 200), most: undefined }
    : undefined;
}

/** What a service said about its limit, for the detail of an item; empty if it said nothing. */
export function toldWords(told: ToldLimit | undefined): string {
  if (!told) return '';
  const { words, most } = told;
  return [
    ...(most === undefined ? [] : [l10n.t('The service runs at most {0} at once', most)]),
    ...(words === '' ? [] : [l10n.t('It refused a start: “{0}”', words)]),
  ].join('. ');
}

/** How many agents a server runs at once unless its administrator says otherwise. */
const mostAgents = 10;

/** How many agents work, and what that means for more of them; empty if there is nothing to say. */
export function workingWords(more: number, working: number, told: ToldLimit | undefined): string {
  const most = told?.most ?? mostAgents;
  return [
    working === 0
      ? ''
      : working === 1
        ? l10n.t('1 agent is working')
        : l10n.t('{0} agents are working', working),
    working + more > most
      ? l10n.t('The server may run only {0} agents at once, so you may have to wait', most)
      : '',
    toldWords(told),
  ]
    .filter((words) => words !== '')
    .join('. ');
}
