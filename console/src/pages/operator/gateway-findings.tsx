// Shows the problems that a gateway found in its reverse DNS, its name, SPF, its certificate or
// block lists, each with the next step.
import { formatCount } from "../../parts/figures.ts";
import { Pill } from "../../parts/pill.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import {
  faultsOf,
  findingTone,
  findingLabel,
  type GatewayFinding,
  type GatewayWatch,
} from "./checks/check-gateway-findings.ts";

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
  return (
    <p>
      <Pill tone={findingTone(finding)}>{findingLabel(finding)}</Pill> {sentence(message)}
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
