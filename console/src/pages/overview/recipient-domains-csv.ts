// Writes the recipient domains as CSV. Pure.
import { formatCsv } from "../../../../src/lib/csv.ts";
import { COUNTED, type DomainFigures } from "./overview-figures.ts";

export function recipientDomainsCsv(rows: readonly DomainFigures[]): string {
  const lines = [
    ["domain", "recipients", ...COUNTED],
    ...rows.map(({ domain, messages, counts }) => [
      domain,
      messages,
      ...COUNTED.map((name) => counts[name]),
    ]),
  ];
  return lines.map((line) => formatCsv(line)).join("");
}
