// Writes the names of topics as lines of text, `newsletter = Weekly news`, and reads them. Pure.

export function toTopicLines(names: Readonly<Record<string, string>>): string {
  return Object.entries(names)
    .map(([topic, name]) => `${topic} = ${name}`)
    .join("\n");
}

/** A line without `=` is a topic without a name, which the service refuses. */
export function readTopicLines(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [topic = "", ...name] = line.split("=");
      return [topic.trim(), name.join("=").trim()];
    }),
  );
}
