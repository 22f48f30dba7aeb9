// Shows why the operator's session could not be read.
import { ErrorNote } from "../../parts/error-note.tsx";

export function OperatorFailure({ error }: { readonly error: unknown }) {
  return (
    <main className="alone">
      <ErrorNote error={error as Error} />
    </main>
  );
}
