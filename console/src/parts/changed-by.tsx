// Shows who changed a resource last: "Published by ada@… 3 min ago". It is shown only to people who
// may read the audit trail.
import { useQuery } from "@tanstack/react-query";
import { actorText, listAudit } from "../api/audit-records.ts";
import { useMay } from "./permitted.tsx";
import { TimeAgo } from "./time/time-ago.tsx";

interface ChangedByProps {
  /** The first word of the text: "Published". */
  readonly says: string;
  /** The operation of the change. Absent: the last change of any kind. */
  readonly operation?: string;
  readonly target: string;
}

export function ChangedBy({ says, operation, target }: ChangedByProps) {
  const mayRead = useMay("GET /console/audit");
  const { data } = useQuery({
    queryKey: ["audit", "last", operation, target],
    queryFn: async () => {
      const filters = { target, ...(operation !== undefined && { operation }) };
      return (await listAudit({ ...filters, limit: 1 }).page()).data;
    },
    enabled: mayRead,
  });
  const [last] = data ?? [];
  if (!last) return null;
  return (
    <p className="muted">
      {says} by {actorText(last.actor)} <TimeAgo at={last.at} />
    </p>
  );
}
