import * as z from 'zod/mini';

const findingSchema = z.object({ severity: z.string(), name: z.string(), range: z.optional(z.string()) });
const reportSchema = z.object({ vulnerabilities: z.record(z.string(), findingSchema) });
const errorSchema = z.object({
  message: z.optional(z.string()),
  statusCode: z.optional(z.number()),
  error: z.optional(z.object({ code: z.optional(z.string()), summary: z.optional(z.string()) })),
});

/** What the JSON of `npm audit` means: findings at high or critical fail, no answer from the registry does not. */
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
  const { statusCode = 0, error, message = '' } = failed.data ?? {};
  const code = error?.code ?? '';
  if (!notOffered.has(statusCode) && !unreachable.test(code)) {
    return {
      passed: false,
      message: `Audit: failed (${[code, error?.summary ?? message].filter(Boolean).join(' ')}).`,
    };
  }
  return {
    passed: true,
    message: `Audit: NOT DONE, because the registry does not offer it (${statusCode || code}). Run it where one does.`,
  };
}

/** Statuses of a registry that has no audit, and codes of one that cannot be reached. */
const notOffered = new Set([404, 405, 410, 501]);
const unreachable = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOAUDIT)$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
