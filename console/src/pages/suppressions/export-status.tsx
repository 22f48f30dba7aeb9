// Says how far the download of suppressions is.
import { formatBytes } from "../../parts/byte-figures.ts";
import { ErrorNote } from "../../parts/error-note.tsx";
import { stopExport, useExportRun } from "./export-run.ts";

export function ExportStatus() {
  const run = useExportRun();
  if (run === null) return null;
  return (
    <section className="panel undo" aria-label="Export">
      {run.kind === "failed" ? (
        <ErrorNote error={run.error} />
      ) : (
        <p role="status">
          {run.kind === "running"
            ? `Export: ${run.bytes === 0 ? "asking" : `${formatBytes(run.bytes)} read`} …`
            : `suppressions.csv is saved: ${formatBytes(run.bytes)}.`}
        </p>
      )}
      <button type="button" className="btn small" onClick={stopExport}>
        {run.kind === "running" ? "Stop" : "Close"}
      </button>
    </section>
  );
}
