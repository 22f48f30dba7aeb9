// The collection of what comes back to return-paths (test/fixtures/returned): by file, each message
// with its name and with what it is to be.

export interface Returned {
  readonly file: string;
  readonly name: string;
  readonly isBounce: boolean;
  /** With CRLF line ends. */
  readonly text: string;
}

const FILES: Record<string, string> = import.meta.glob("../../../fixtures/returned/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});
const HEAD = /^(.+): (bounce|nothing)\n/;

export const RETURNED: readonly Returned[] = Object.entries(FILES).flatMap(([path, text]) =>
  text
    .replaceAll("\r\n", "\n")
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head = "", name = "", outcome] = HEAD.exec(block) ?? [];
      return {
        file: path.replace(/^.*\//, ""),
        name,
        isBounce: outcome === "bounce",
        text: block.slice(head.length).replaceAll("\n", "\r\n"),
      };
    }),
);
