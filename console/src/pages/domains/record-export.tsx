// A domain's records as a zone file or as Terraform, to copy or download.
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { SmallButton } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { saveFile } from "../../parts/save-file.ts";
import type { RecordView } from "./domains-search.ts";
import { type RecordRow, zoneOf } from "./record-rows.ts";
import { terraform } from "./terraform.ts";
import { zoneFile } from "./zone-file.ts";

interface RecordExportProps {
  readonly domain: Domain;
  readonly rows: readonly RecordRow[];
  readonly view: Exclude<RecordView, "records">;
}

export function RecordExport({ domain, rows, view }: RecordExportProps) {
  const { name } = domain;
  const isZone = view === "zone";
  const text = isZone ? zoneFile(name, rows) : terraform(name, zoneOf(domain), rows);
  const file = isZone ? `${name}.zone` : `${name.replaceAll(".", "-")}.tf`;
  return (
    <div className="padded ruled">
      <p>
        {isZone
          ? "For BIND, and for DNS providers that import zone files. All names are fully qualified."
          : "For a zone at Cloudflare, with version 5 of the Terraform provider. The records are DNS only, not proxied."}
      </p>
      <pre
        className="said code-block"
        tabIndex={0}
        role="region"
        aria-label={isZone ? "Zone file" : "Terraform"}
      >
        {text}
      </pre>
      <div className="buttons">
        <CopyButton
          text={text}
          label={isZone ? "copy the zone file" : "copy the Terraform configuration"}
        />
        <SmallButton onClick={() => saveFile(file, new Blob([text], { type: "text/plain" }))}>
          Download {file}
        </SmallButton>
      </div>
    </div>
  );
}
