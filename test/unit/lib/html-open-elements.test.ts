// Tests how open HTML elements are tracked (src/lib/html/html-open-elements.ts).
import { describe, expect, it } from "vitest";
import { OpenElements } from "../../../src/lib/html/html-open-elements.ts";
import { pairsOf } from "../fixture-rows.ts";

/** Applies tags such as `p` or `/p`. Returns which elements were opened and closed, in order. */
function play(tags: string): string {
  const heard: string[] = [];
  const open = new OpenElements<null>(({ name }) => heard.push(`/${name}`));
  for (const tag of tags.split(" ")) {
    if (tag.startsWith("/")) {
      open.close(tag.slice(1));
    } else {
      open.closeBefore(tag);
      heard.push(tag);
      open.open(tag, null);
    }
  }
  heard.push("|");
  open.closeAll();
  return heard.join(" ");
}

describe("OpenElements", () => {
  it.each(pairsOf("html", "open elements"))("opens and closes for %s: %s", (tags, heard) => {
    expect(play(tags)).toBe(heard.trim());
  });
});
