// Shows the time of the last DNS check and the time until the next one.
import { useEffect, useState } from "react";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import type { DnsNow } from "./domain-queries.ts";

const TICK_MS = 1_000;

export function LastCheck({ dns: { query, nextInMs } }: { readonly dns: DnsNow }) {
  const now = useTick();
  const { dataUpdatedAt: at, isFetching } = query;
  if (at === 0) return isFetching ? <small>Checking…</small> : null;
  const wait =
    nextInMs === null
      ? null
      : Math.max(0, Math.ceil((at + nextInMs - Math.max(at, now)) / TICK_MS));
  return (
    <small>
      Checked <TimeAgo at={at} />
      {wait !== null &&
        (isFetching || wait === 0 ? ", checking again…" : `, next check in ${wait} s`)}
    </small>
  );
}

function useTick(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
