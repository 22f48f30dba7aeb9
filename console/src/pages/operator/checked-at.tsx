// Says when a page that refreshes by itself has last looked, and when it looks again.

interface LookedProps {
  /** Unix milliseconds; 0: not yet. */
  readonly at: number;
  readonly everyMs: number;
}

export function Looked({ at, everyMs }: LookedProps) {
  if (at === 0) return null;
  const time = new Date(at).toISOString();
  return (
    <small>
      Looked at <time dateTime={time}>{time.slice(11, 19)} UTC</time>, again every{" "}
      {Math.round(everyMs / 1_000)} s while this tab is seen
    </small>
  );
}
