// Shows the problems that a gateway found in its reverse DNS, its name, SPF, its certificate or
// block lists, each with the next step.
import { formatCount } from "../../parts/figures.ts";
import { Pill } from "../../parts/pill.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { type ShownCheck, statusLabel, statusTone } from "./check-status.ts";
import type { GatewayWatch } from "./busy-destinations.ts";

type GatewayFinding = GatewayWatch["findings"][number];

/** The check's status for each status of a finding, the worst first. */
const STATUSES: Readonly<Record<GatewayFinding["status"], ShownCheck["status"]>> = {
  failed: "critical",
  warning: "warning",
  unknown: "unknown",
  ok: "ok",
};
const ORDER = Object.keys(STATUSES);

/** Returns the findings that are not `ok`, the worst first. */
function faultsOf({ findings }: GatewayWatch): GatewayFinding[] {
  return findings
    .filter(({ status }) => status !== "ok")
    .toSorted((left, right) => ORDER.indexOf(left.status) - ORDER.indexOf(right.status));
}

export function GatewayFindings({ watch }: { readonly watch: GatewayWatch }) {
  const faults = faultsOf(watch);
  const well = watch.findings.length - faults.length;
  return (
    <>
      <p className="muted">
        {watch.checked_at === null ? (
          "The gateway’s first self-check is running."
        ) : (
          <>
            {formatCount(well)} of {formatCount(watch.findings.length)} self-checks passed. Checked{" "}
            <TimeAgo at={watch.checked_at} />.
          </>
        )}
      </p>
      {faults.map((finding) => (
        <Fault key={`${finding.check} ${finding.message}`} finding={finding} />
      ))}
    </>
  );
}

function Fault({ finding }: { readonly finding: GatewayFinding }) {
  const { message, advice, link } = finding;
  const shown = { status: STATUSES[finding.status] };
  return (
    <p>
      <Pill tone={statusTone(shown)}>{statusLabel(shown)}</Pill> {sentence(message)}
      {advice && <span className="muted"> {sentence(advice)}</span>}
      {link && (
        <>
          {" "}
          <a href={link} target="_blank" rel="noreferrer">
            Ask for removal
          </a>
        </>
      )}
    </p>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
