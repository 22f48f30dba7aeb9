// Lets the browser save a file.

/**
 * The time after which the file's URL is released. The browser must have started to save the file
 * by then.
 */
const KEPT_MS = 60_000;

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** Saves a CSV file. The byte order mark tells spreadsheets that the file is UTF-8. */
export function saveCsv(name: string, texts: readonly BlobPart[]): void {
  saveFile(name, new Blob(["\uFEFF", ...texts], { type: "text/csv;charset=utf-8" }));
}
