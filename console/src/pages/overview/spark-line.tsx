// A small line of a figure's values over the period, without axes. Screen readers skip it, because
// the charts below have the same numbers.

const WIDTH = 72;
const HEIGHT = 22;
const MARGIN = 2;

/** Draws the line. A value is null if the interval has none, and the line skips this interval. */
export function SparkLine({ values }: { readonly values: readonly (number | null)[] }) {
  const points = pointsOf(values);
  if (points === null) return null;
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points} />
    </svg>
  );
}

/**
 * Returns the points of the line. Null: fewer than two intervals have a value, or all values are
 * zero.
 */
function pointsOf(values: readonly (number | null)[]): string | null {
  const known = values.flatMap((value, at) => (value === null ? [] : [[at, value] as const]));
  const top = Math.max(...known.map(([, value]) => value));
  if (known.length < 2 || top === 0) return null;
  const least = Math.min(...known.map(([, value]) => value));
  const range = top - least;
  const step = (WIDTH - 2 * MARGIN) / (values.length - 1);
  return known
    .map(([at, value]) => {
      const share = range === 0 ? 0.5 : (value - least) / range;
      const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
      return `${(MARGIN + at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}
