import * as z from 'zod/mini';

const findingSchema = z.object({ severity: z.string(), name: z.string(), range: z.optional(z.string()) });
const reportSchema = z.object({ vulnerabilities: z.record(z.string(), findingSchema) });
const errorSchema = z.object({
  message: z.optional(z.string()),
  statusCode: z.optional(z.number()),
  error: z.optional(z.object({ code: z.optional(z.string()), summary: z.optional(z.string()) })),
});

/** Judges the JSON output of `npm audit`: findings at high or critical fail, and so does a missing answer. */
export function judgeAudit(output: string): { passed: boolean; message: string } {
  const json = parse(output);
  const report = reportSchema.safeParse(json);
  if (report.success) {
    const severe = Object.values(report.data.vulnerabilities).filter(({ severity }) =>
      ['high', 'critical'].includes(severity),
    );
    return severe.length === 0
      ? { passed: true, message: 'Audit: no finding at high or above.' }
      : {
          passed: false,
          message: ['Audit: findings at high or above:']
            .concat(severe.map(({ name, range = '', severity }) => `  ${severity}: ${name} ${range}`))
            .join('\n'),
        };
  }
  const failed = errorSchema.safeParse(json);
  const { statusCode, error, message = '' } = failed.data ?? {};
  const code = error?.code ?? '';
  if (code !== 'ENOAUDIT' && !notOffered.has(statusCode ?? 0)) {
    return {
      passed: false,
      message: `Audit: failed (${[code, error?.summary ?? message].filter(Boolean).join(' ') || 'no answer'}).`,
    };
  }
  return {
    passed: true,
    message: `Audit: NOT DONE, because the registry doesn’t offer it (${statusCode ?? code}). Run it with one that does.`,
  };
}

/** Statuses that a registry without audits returns. */
const notOffered = new Set([404, 405, 410, 501]);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
