// Says when a page that refreshes by itself was last checked, and how often it is.

interface CheckedAtProps {
  /** Unix milliseconds; 0: not yet. */
  readonly at: number;
  readonly everyMs: number;
}

export function CheckedAt({ at, everyMs }: CheckedAtProps) {
  if (at === 0) return null;
  const time = new Date(at).toISOString();
  return (
    <small>
      Checked at <time dateTime={time}>{time.slice(11, 19)} UTC</time>, every{" "}
      {Math.round(everyMs / 1_000)} s while this tab is visible
    </small>
  );
}
