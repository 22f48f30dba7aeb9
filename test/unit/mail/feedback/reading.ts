// Reads reports for tests, from the fixtures, and sums up each verdict in one line.
import { judgeReport } from "../../../../src/mail/feedback/report-verdict.ts";
import { readReport } from "../../../../src/mail/feedback/report.ts";
import { suppressionOf } from "../../../../src/mail/record/effects.ts";

declare global {
  interface ImportMeta {
    glob(
      pattern: string,
      options: { query: "?raw"; import: "default"; eager: true },
    ): Record<string, string>;
  }
}

const RECIPIENT = "ann@example.com";
const SENDER = "hello@shop.example";

/** Fixtures by file name without its extension. */
export const FIXTURES: ReadonlyMap<string, string> = new Map(
  Object.entries(
    import.meta.glob("../../../fixtures/bounces/*.eml", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([path, text]) => [path.replace(/^.*\/|\.eml$/g, ""), text]),
);

export function fixture(name: string): string {
  const text = FIXTURES.get(name);
  if (text === undefined) throw new Error(`no fixture ${name}`);
  return text;
}

/** Sums up the verdict on a report. `text` is a string in UTF-8, or octets. */
export function outcomeOf(text: string | Uint8Array, recipient = RECIPIENT): string {
  const report = readReport(typeof text === "string" ? new TextEncoder().encode(text) : text);
  const finding = report && judgeReport(report, { recipient, sender: SENDER });
  if (!finding) return "nothing";
  if (finding.kind === "complaint") {
    const { feedbackType, userAgent, reportedAt } = finding.complaint;
    return (
      `complaint ${feedbackType} ${JSON.stringify(userAgent)} ` +
      (reportedAt === null ? "-" : new Date(reportedAt).toISOString())
    );
  }
  const { type, classification, smtpCode } = finding.bounce;
  const suppresses = finding.certain && suppressionOf(finding.bounce, null, 1) !== null;
  return `${type} ${classification ?? "-"} ${smtpCode ?? "-"}${suppresses ? " suppressed" : ""}`;
}
