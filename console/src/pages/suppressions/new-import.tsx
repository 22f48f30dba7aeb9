// Starts an import of suppressions from a CSV file.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api-client.ts";
import { formatBytes } from "../../parts/byte-figures.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { countDataRows } from "./csv-rows.ts";

interface NewImportProps {
  /** Is called with the import's id and the number of rows in its file. */
  readonly onBegun: (id: string, rows: number) => void;
  readonly onClose: () => void;
}

export function NewImport({ onBegun, onClose }: NewImportProps) {
  const [file, setFile] = useState<File | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (chosen: File) => {
      const { id } = await api.suppressions.import(
        // The bytes are sent unchanged, so that the service can check that they are UTF-8.
        chosen as unknown as string,
      );
      return { id, rows: countDataRows(await chosen.text()) };
    },
    onSuccess: ({ id, rows }) => onBegun(id, rows),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) mutate(file);
  };
  return (
    <form className="panel padded" aria-label="Import suppressions" onSubmit={submit}>
      <p className="muted">
        A CSV file in UTF-8, up to 5 MB, with commas, semicolons or tabs. The first row names the
        columns: <code>email</code>, and optionally <code>topic</code> and <code>note</code>. A list
        of addresses alone needs no header. Files downloaded here can be imported unchanged.
      </p>
      <label className="field">
        CSV file
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          required
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
      </label>
      {error && <ErrorNotice error={error} />}
      {isPending && <p role="status">Uploading {formatBytes(file?.size ?? 0)}…</p>}
      <FormButtons act="Import CSV" isDisabled={isPending || file === null} onCancel={onClose} />
    </form>
  );
}
