// Reads reports for tests, from the vectors and from texts, and sums up each verdict in one line.
import { judgeReport } from "../../../../src/mail/feedback/report-verdict.ts";
import { readReport, type Report } from "../../../../src/mail/feedback/report.ts";
import { suppressionOf } from "../../../../src/mail/record/effects.ts";

const RECIPIENT = "ann@example.com";
const SENDER = "hello@shop.example";

/** The bounce reports in vectors/reports, by file name without the extension. */
export const FIXTURES: ReadonlyMap<string, string> = new Map(
  Object.entries(
    import.meta.glob("../../../../vectors/reports/*.eml", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([path, text]) => [path.replace(/^.*\/|\.eml$/g, ""), text]),
);

export function fixture(name: string): string {
  const text = FIXTURES.get(name);
  if (text === undefined) throw new Error(`no report ${name}.eml in vectors/reports`);
  return text;
}

/**
 * Returns the verdict on a bounce report and the statuses in the report, in the form of
 * vectors/reports.json.
 */
export function readAs(text: string | Uint8Array, recipient = RECIPIENT) {
  const report = readReport(typeof text === "string" ? new TextEncoder().encode(text) : text);
  const judged = report && judgeReport(report, { recipient, sender: SENDER });
  return { statuses: statusesOf(report), verdict: judged ? verdictOf(judged) : null };
}

function statusesOf(report: Report | undefined) {
  if (report?.kind !== "delivery") return [];
  const { statuses, inner } = report;
  return (statuses.length > 0 ? statuses : (inner?.statuses ?? [])).map(
    ({ final, original, action, status }) => ({
      recipient: final ?? original ?? null,
      action,
      status,
    }),
  );
}

function verdictOf(judged: NonNullable<ReturnType<typeof judgeReport>>) {
  if (judged.kind === "complaint") {
    const { feedbackType, userAgent, reportedAt } = judged.complaint;
    return {
      kind: judged.kind,
      feedback_type: feedbackType,
      user_agent: userAgent,
      reported_at: reportedAt === null ? null : new Date(reportedAt).toISOString(),
    };
  }
  const { type, classification, smtpCode } = judged.bounce;
  return {
    kind: judged.kind,
    type,
    class: classification,
    smtp_code: smtpCode,
    suppress: judged.certain && suppressionOf(judged.bounce, null, 1) !== null,
  };
}

/**
 * Describes in a few words what the service concludes from a bounce or complaint report. `text`: a
 * string or the octets.
 */
export function outcomeOf(text: string | Uint8Array, recipient = RECIPIENT): string {
  const { verdict } = readAs(text, recipient);
  if (verdict === null) return "nothing";
  if (verdict.kind === "complaint")
    return `complaint ${verdict.feedback_type} ${JSON.stringify(verdict.user_agent)} ${verdict.reported_at ?? "-"}`;
  const suppresses = verdict.suppress ? " suppressed" : "";
  return `${verdict.type} ${verdict.class ?? "-"} ${verdict.smtp_code ?? "-"}${suppresses}`;
}
