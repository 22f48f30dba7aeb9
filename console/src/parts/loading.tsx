// A placeholder for content that is loading. It appears after a delay, so that it does not flicker
// before a fast answer. A screen reader reads only the word "Loading".

interface LoadingProps {
  /** The expected number of rows or lines, if known. */
  readonly rows?: number;
  /** The expected height of other content, in pixels. */
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

/** Is shown at the end of a list while more rows load. */
export function LoadingRows() {
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
