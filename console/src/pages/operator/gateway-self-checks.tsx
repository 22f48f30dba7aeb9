// Shows the problems that a gateway found in its reverse DNS, its name, SPF, its certificate or
// block lists, each with the next step.
import { formatCount } from "../../parts/figures.ts";
import { Pill } from "../../parts/pill.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { capitalized } from "../../parts/typography.ts";
import { statusLabel, statusTone } from "./check-status.ts";
import type { GatewayWatch } from "./busy-destinations.ts";

type SelfCheck = GatewayWatch["findings"][number];

/** The statuses, the worst first. A gateway of an earlier version reports `failed`. */
const ORDER: readonly SelfCheck["status"][] = ["critical", "failed", "warning", "unknown", "ok"];

/** Returns the checks that are not `ok`, the worst first. */
function faultsOf({ findings }: GatewayWatch): SelfCheck[] {
  return findings
    .filter(({ status }) => status !== "ok")
    .toSorted((left, right) => ORDER.indexOf(left.status) - ORDER.indexOf(right.status));
}

export function GatewaySelfChecks({ watch }: { readonly watch: GatewayWatch }) {
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
      {faults.map((fault) => (
        <Fault key={`${fault.check} ${fault.message}`} fault={fault} />
      ))}
    </>
  );
}

function Fault({ fault: { status, message, advice, link } }: { readonly fault: SelfCheck }) {
  const shown = { status: status === "failed" ? "critical" : status } as const;
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
  return `${capitalized(text)}.`;
}
