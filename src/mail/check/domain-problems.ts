// Finds the problems of the sending domain in DNS. A judgement may be an hour old, because each
// judgement needs a dozen DNS queries.
import { type Scope } from "../../db/client.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { HOUR_MS } from "../../limits.ts";
import type { CourierName, Settings } from "../../settings.ts";
import { type DnsView, viewDns } from "../../resources/domains/dns-view.ts";
import { getDomain } from "../../resources/domains/store.ts";
import type { MailProblem, LintSeverity } from "../../lint/mail-problem.ts";

const JUDGEMENTS_CACHED = 1_000;

const judged = new BoundedCache<readonly DomainProblem[]>(JUDGEMENTS_CACHED, HOUR_MS);

type DomainProblem = MailProblem<"domain-records">;

const NAMES: Readonly<Record<DnsView["records"][number]["purpose"], string>> = {
  verification: "The return-path",
  dkim: "DKIM",
  tracking: "The tracking host",
  bounces: "The bounce host",
  spf: "SPF",
};

/** Returns the problems of `id`, a verified domain of the team. */
export async function domainProblems(
  scope: Scope,
  settings: Settings,
  courier: CourierName,
  id: string,
  now: number,
): Promise<readonly DomainProblem[]> {
  const key = `${id} ${courier}`;
  const known = judged.get(key, now);
  if (known) return known;
  const domain = await getDomain(scope, id);
  const problems = problemsOf(await viewDns(settings, courier, domain), domain.name, id);
  judged.set(key, problems, now);
  return problems;
}

/**
 * Returns the problems in a view of DNS. Leaves out a name that DNS did not answer for, because
 * that is not a fault of the domain.
 */
function problemsOf({ records, policies }: DnsView, name: string, id: string): DomainProblem[] {
  const tell = (severity: LintSeverity, message: string, help: string): DomainProblem => ({
    rule: "domain-records",
    severity,
    where: { field: "from", line: null, column: null },
    message,
    help: `${help} GET /v1/domains/${id}/dns shows each record.`,
  });
  return [
    ...records.flatMap(({ purpose, status, message }) => {
      if (status === "missing")
        return [tell("warning", `${NAMES[purpose]} of ${name} no longer resolves.`, message)];
      return status === "mismatch"
        ? [tell("warning", `${NAMES[purpose]} of ${name} has a wrong value.`, message)]
        : [];
    }),
    ...(["spf", "dmarc"] as const).flatMap((policy) => {
      const { status, message } = policies[policy];
      const severity = status === "warn" ? "note" : "warning";
      const says = status === "missing" ? "is missing" : "can be improved";
      return status === "ok" || status === "unknown"
        ? []
        : [
            tell(
              severity,
              `${policy.toUpperCase()} of ${name} ${status === "wrong" ? "is wrong" : says}.`,
              message,
            ),
          ];
    }),
  ];
}
