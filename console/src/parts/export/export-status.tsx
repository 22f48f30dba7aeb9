// Shows the progress of an export.
import { SmallButton } from "../button.tsx";
import { ErrorNotice } from "../error-notice.tsx";
import { stopExport, useExportRun } from "./export-run.ts";
import { exportTexts } from "./file-names.ts";

export function ExportStatus() {
  const run = useExportRun();
  if (run === null) return null;
  return (
    <section className="panel undo" aria-label="Download">
      {run.kind === "failed" ? (
        <ErrorNotice error={run.error} retry={run.retry} />
      ) : (
        <>
          <p role="status">{exportTexts(run.kind === "done", run.name, run.rows, run.total)}</p>
          {run.kind === "running" && run.total !== null && (
            <progress
              className="slim"
              aria-label="Rows read"
              max={Math.max(1, run.total)}
              value={Math.min(run.rows, run.total)}
            />
          )}
        </>
      )}
      <SmallButton onClick={stopExport}>{run.kind === "running" ? "Cancel" : "Close"}</SmallButton>
    </section>
  );
}
