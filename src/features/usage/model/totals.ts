import type { Conversation } from '../../../api/service/schemas/conversation';
import { plainText } from '../../../shared/plainText';
import { usageKinds, type UsageKind, type UsageSum } from '../../../shared/usageMessages';
import { hasOddUsage, listedUsage } from '../../../core/lists/usage';

/** What conversations have used in total. */
export class UsageTotals {
  readonly total = nothing('');
  /** Conversations that report no cost, no tokens, or an impossible amount. */
  readonly missing = { cost: 0, tokens: 0, odd: 0 };
  private readonly sums = Object.fromEntries(usageKinds.map((kind) => [kind, new Map()])) as Record<
    UsageKind,
    Map<string, UsageSum>
  >;

  /** Counts a conversation of a connection with this name. */
  add(connection: string, record: Conversation): void {
    const { cost, input, output } = listedUsage(record);
    if (cost === undefined) this.missing.cost += 1;
    if (input === undefined || output === undefined) this.missing.tokens += 1;
    if (hasOddUsage(record)) this.missing.odd += 1;
    if (cost === undefined && input === undefined && output === undefined) return;
    const names: Record<UsageKind, string> = {
      day: dayOf(record.created_at),
      model: record.llm_model ?? '',
      repository: record.selected_repository ?? record.folder ?? '',
      connection,
    };
    const counted = [this.total, ...usageKinds.map((kind) => this.sumOf(kind, plainText(names[kind], 200)))];
    for (const sum of counted) {
      sum.conversations += 1;
      sum.cost += cost ?? 0;
      sum.input += input ?? 0;
      sum.output += output ?? 0;
    }
  }

  get tables(): Record<UsageKind, UsageSum[]> {
    const { day, model, repository, connection } = this.sums;
    return {
      day: [...day.values()],
      model: [...model.values()],
      repository: [...repository.values()],
      connection: [...connection.values()],
    };
  }

  private sumOf(kind: UsageKind, name: string): UsageSum {
    const known = this.sums[kind].get(name) ?? nothing(name);
    this.sums[kind].set(name, known);
    return known;
  }
}

const nothing = (name: string): UsageSum => ({ name, conversations: 0, cost: 0, input: 0, output: 0 });

/** The day in this computer’s time zone, as `YYYY-MM-DD`; empty without a valid time. */
export function dayOf(at: string | number | null | undefined): string {
  const time = new Date(at ?? NaN);
  if (Number.isNaN(time.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
