// The line above a list of the log: the number of loaded rows, the time of the last check, and the
// number of newer events.
import { Button, SmallButton } from "../../parts/button.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import type { useLiveEvents } from "./events-query.ts";
import { type LogEvent, totalText } from "./newest-events.ts";

interface LogTopProps {
  readonly live: ReturnType<typeof useLiveEvents>;
  /** Counts the rows that the list shows for the loaded events. */
  readonly count: (rows: readonly LogEvent[]) => number;
  readonly noun: "event" | "message";
  readonly save: () => void;
}

export function LogTop({ live, count, noun, save }: LogTopProps) {
  const { fresh, isMore, lookedAt, show, list, lookError } = live;
  return (
    <div className="top log-top">
      <small>
        {list.rows &&
          list.rows.length > 0 &&
          `${totalText(count(list.rows), noun, list.hasMore)}. `}
        {lookError
          ? "Could not check for new events."
          : lookedAt > 0 && (
              <>
                Checked <TimeAgo at={lookedAt} />.
              </>
            )}
      </small>
      <span aria-live="polite">
        {fresh > 0 && (
          <Button
            className="btn main small"
            onClick={() => {
              show();
              window.scrollTo({ top: 0 });
            }}
          >
            {fresh}
            {isMore ? " or more" : ""} new
          </Button>
        )}
      </span>
      <span className="right">
        <SmallButton disabled={list.rows === undefined || list.rows.length === 0} onClick={save}>
          Download CSV
        </SmallButton>
      </span>
    </div>
  );
}
