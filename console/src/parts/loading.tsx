// Stands in for content that is on its way. It appears late, so that a fast answer does not flicker.
export function Loading() {
  return (
    <p className="loading" role="status">
      Loading …
    </p>
  );
}
