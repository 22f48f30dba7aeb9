// Shows above the page that the service does not answer. Screen readers announce only the beginning
// and the end of this state, not the countdown.
import { useEffect, useReducer, useState } from "react";
import { tryNow, useSilence } from "../api/connection.ts";
import { nextTryText, type Silence, sinceText } from "../api/unanswered-time.ts";
import { SmallButton } from "../parts/button.tsx";
import { formatOfDay } from "../parts/time/times.ts";
import { useZone } from "../parts/time/time-zone.ts";

const TICK_MS = 1_000;

export function ConnectionBar() {
  const silence = useSilence();
  const zone = useZone();
  const [wasSilent, setWasSilent] = useState(false);
  if (silence !== null && !wasSilent) setWasSilent(true);
  const ended = wasSilent ? "The service answers again." : "";
  return (
    <>
      <p className="unseen" role="status">
        {silence === null ? ended : `${sinceIn(zone, silence)}. The console retries automatically.`}
      </p>
      {silence !== null && <Countdown silence={silence} />}
    </>
  );
}

function Countdown({ silence }: { readonly silence: Silence }) {
  const zone = useZone();
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="no-answer wait">
      <p aria-hidden="true">
        <span className="dot" /> {sinceIn(zone, silence)}, {nextTryText(silence, Date.now())}
      </p>
      <SmallButton disabled={silence.nextAt === null} onClick={tryNow}>
        Try now
      </SmallButton>
    </div>
  );
}

function sinceIn(zone: string, silence: Silence): string {
  return sinceText(silence, formatOfDay(silence.since, zone));
}
