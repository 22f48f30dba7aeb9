// Lists what a release would publish, and where.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileName, imageOf, type Release } from "./stamp.ts";

/** Names of a release's files. The workflow publishes whatever is in .release. */
export function fileNames({ version, published }: Release) {
  return {
    package: `${fileName(published.package)}-${version}.tgz`,
    worker: `postern-worker-${version}.js`,
    workerBill: `postern-worker-${version}.cdx.json`,
    gatewayBill: `postern-gateway-${version}.cdx.json`,
    document: `postern-openapi-${version}.json`,
    notes: "RELEASE_NOTES.md",
    sums: "SHA256SUMS",
  } as const;
}

/** Lists the files, and the commands by which the workflow publishes them. */
export function announced(release: Release, files: readonly string[]): string {
  const { version, published } = release;
  const list = files.map(
    (file) => `  ${(statSync(file).size / 1024).toFixed(1).padStart(8)} KB  ${basename(file)}`,
  );
  return [
    `\n.release has ${files.length} files:`,
    ...list,
    `\nThe tag v${version} would publish:`,
    `  the package ${published.package}: npm publish .release/${fileNames(release).package} --provenance`,
    `  the image ${imageOf(published)}:${version}: docker buildx build --push smtp-gateway`,
    `  the release v${version} of github.com/${published.repository}: all files above`,
    "Nothing was published.",
  ].join("\n");
}
