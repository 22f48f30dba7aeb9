// Stands where content will stand, until it is there. It is quiet: it appears late, so that a fast
// answer does not flicker, and a screen reader hears one word.

interface LoadingProps {
  /** The number of rows or lines that will stand here, as far as the page can know. */
  readonly rows?: number;
  /** The height of other content that will stand here, in pixels. */
  readonly height?: number;
}

export function Loading({ rows = 6, height }: LoadingProps) {
  return (
    <div className="skeleton">
      <p className="unseen" role="status">
        Loading
      </p>
      {height === undefined ? (
        <Bars rows={rows} />
      ) : (
        <div className="skeleton-block" aria-busy="true" style={{ height }} />
      )}
    </div>
  );
}

/** Stands at the end of a list while further rows are on their way. */
export function RowsOnTheWay() {
  return <Bars rows={3} />;
}

function Bars({ rows }: Required<Pick<LoadingProps, "rows">>) {
  return (
    <div className="skeleton-rows" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}
