// Reads the collection of mail that came back to return-paths (test/fixtures/returned): each
// message with its name and its expected verdict.

export interface Returned {
  readonly file: string;
  readonly name: string;
  readonly isBounce: boolean;
  /** The message with CRLF line ends. */
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
