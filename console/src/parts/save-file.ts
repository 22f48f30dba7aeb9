// Hands a file to the reader's browser, which saves it.

/** Time that the browser has to begin saving. */
const KEPT_MS = 60_000;

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
