// Starts an import of suppressions from a CSV file.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api-client.ts";
import { formatBytes } from "../../parts/byte-figures.ts";
import { RequestForm, Field } from "../../parts/form.tsx";
import { countDataRows } from "./csv-rows.ts";

interface NewImportProps {
  /** Is called with the import's id and the number of rows in its file. */
  readonly onBegun: (id: string, rows: number) => void;
  readonly onClose: () => void;
}

export function NewImport({ onBegun, onClose }: NewImportProps) {
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const { id } = await api.suppressions.import(
        // The bytes are sent unchanged, so that the service can check that they are UTF-8.
        chosen as unknown as string,
      );
      return { id, rows: countDataRows(await chosen.text()) };
    },
    onSuccess: ({ id, rows }) => onBegun(id, rows),
  });
  return (
    <RequestForm
      label="Import suppressions"
      act="Import CSV"
      request={upload}
      isIncomplete={file === null}
      onSubmit={() => {
        if (file) upload.mutate(file);
      }}
      onCancel={onClose}
    >
      <p className="muted">
        A CSV file in UTF-8, up to 5 MB, with commas, semicolons or tabs. The first row names the
        columns: <code>email</code>, and optionally <code>topic</code> and <code>note</code>. A list
        of addresses alone needs no header. Files downloaded here can be imported unchanged.
      </p>
      <Field
        label="CSV file"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        required
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
      />
      {upload.isPending && <p role="status">Uploading {formatBytes(file?.size ?? 0)}…</p>}
    </RequestForm>
  );
}
