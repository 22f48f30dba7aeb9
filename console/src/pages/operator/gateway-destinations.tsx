// Shows the busy destinations of a gateway (docs/egress-protocol.md §Destinations): the open
// connections, the waiting messages, and the connection limit of each. The ARIA roles are explicit,
// because a phone shows the rows as blocks.
import { formatCount } from "../../parts/figures.ts";
import {
  busyDestinations,
  type BusyDestination,
  type GatewayWatch,
  limitReason,
} from "./busy-destinations.ts";

export function GatewayDestinations({ watch }: { readonly watch: GatewayWatch }) {
  const busy = busyDestinations(watch);
  if (busy.length === 0) return null;
  return (
    <table className="stacked" role="table" aria-label="Destinations">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Destination
          </th>
          {["Open", "Waiting", "Refused", "Limit"].map((name) => (
            <th key={name} role="columnheader" scope="col" className="n">
              {name}
            </th>
          ))}
          <th role="columnheader" scope="col">
            Reason
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {busy.map((destination) => (
          <DestinationLine
            key={`${destination.pool} ${destination.name}`}
            destination={destination}
          />
        ))}
      </tbody>
    </table>
  );
}

function DestinationLine({ destination }: { readonly destination: BusyDestination }) {
  const { name, pool, open, waiting, refused, concurrency } = destination;
  return (
    <tr role="row">
      <td role="cell">
        <b>{name}</b> {pool !== "default" && <small>from the IP pool {pool}</small>}
      </td>
      <Figure of="open" is={open} />
      <Figure of="waiting" is={waiting} />
      <Figure of="refused" is={refused} />
      <Figure of="at most" is={concurrency} />
      <td role="cell" className="muted">
        {limitReason(destination)}
      </td>
    </tr>
  );
}

/**
 * Shows a figure. The table's head names the figure. A phone hides the head, so the name is also
 * next to the figure.
 */
function Figure({ of, is }: { readonly of: string; readonly is: number }) {
  return (
    <td role="cell" className="n">
      {formatCount(is)} <small className="name">{of}</small>
    </td>
  );
}
