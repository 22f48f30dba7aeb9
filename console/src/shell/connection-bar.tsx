// Shows above the page that the service does not answer. Screen readers announce only the beginning
// and the end of this state, not the countdown.
import { useState } from "react";
import { tryNow, useSilence } from "../api/connection.ts";
import { nextTryText, type Silence, sinceText } from "../api/unanswered-time.ts";
import { SmallButton } from "../parts/button.tsx";
import { useNow } from "../parts/time/time-ago.tsx";
import { SECOND_MS } from "../parts/time/time-units.ts";
import { formatOfDay } from "../parts/time/times.ts";
import { useZone } from "../parts/time/time-zone.ts";

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
  const now = useNow(SECOND_MS);
  return (
    <div className="no-answer wait">
      <p aria-hidden="true">
        <span className="dot" /> {sinceIn(zone, silence)}, {nextTryText(silence, now)}
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
