// Writes the recipient domains as CSV (RFC 4180). A domain's name begins with a letter or a digit,
// so that no spreadsheet takes it for a formula. Pure.
import { COUNTED, type DomainFigures } from "./overview-figures.ts";

export function recipientDomainsCsv(rows: readonly DomainFigures[]): string {
  const lines = [
    ["domain", "messages", ...COUNTED],
    ...rows.map(({ domain, messages, counts }) => [
      domain,
      messages,
      ...COUNTED.map((name) => counts[name]),
    ]),
  ];
  return lines.map((line) => `${line.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
