// Shows the busy destinations of a gateway (docs/egress-protocol.md §Destinations): the open
// connections, the waiting messages, and the connection limit of each.
import { formatCount } from "../../parts/figures.ts";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import {
  busyDestinations,
  type BusyDestination,
  type GatewayWatch,
  limitReason,
} from "./busy-destinations.ts";

const COLUMNS: readonly TableColumn<BusyDestination>[] = [
  {
    name: "Destination",
    cell: ({ name, pool }) => (
      <>
        <b>{name}</b> {pool !== "default" && <small>from the IP pool {pool}</small>}
      </>
    ),
  },
  { name: "Open", cell: ({ open }) => <Figure of="open" is={open} />, isNumber: true },
  { name: "Waiting", cell: ({ waiting }) => <Figure of="waiting" is={waiting} />, isNumber: true },
  { name: "Refused", cell: ({ refused }) => <Figure of="refused" is={refused} />, isNumber: true },
  {
    name: "Limit",
    cell: ({ concurrency }) => <Figure of="at most" is={concurrency} />,
    isNumber: true,
  },
  { name: "Reason", cell: limitReason, className: "muted" },
];

export function GatewayDestinations({ watch }: { readonly watch: GatewayWatch }) {
  const busy = busyDestinations(watch);
  if (busy.length === 0) return null;
  return (
    <ShortTable
      className="stacked"
      aria-label="Destinations"
      columns={COLUMNS}
      rows={busy}
      keyOf={({ pool, name }) => `${pool} ${name}`}
    />
  );
}

/**
 * Shows a figure. The table's head names the figure. A phone hides the head, so the name is also
 * next to the figure.
 */
function Figure({ of, is }: { readonly of: string; readonly is: number }) {
  return (
    <>
      {formatCount(is)} <small className="name">{of}</small>
    </>
  );
}
