// Tests how open HTML elements are tracked (src/lib/html/html-open-elements.ts).
import { describe, expect, it } from "vitest";
import { OpenElements } from "../../../src/lib/html/html-open-elements.ts";

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
  it.each([
    ["div p /p /div", "div p /p /div |"],
    ["b i /b /i", "b i /i /b |"],
    ["/p div /span /div", "div /div |"],
    ["p p div", "p /p p /p div | /div"],
    ["p b h1", "p b /b /p h1 | /h1"],
    ["br img hr", "br img hr |"],
    ["ul li li ul li /ul li /ul", "ul li /li li ul li /li /ul /li li /li /ul |"],
    ["li li", "li li | /li /li"],
    ["ul li div /ul", "ul li div /div /li /ul |"],
    ["dl dt dd dt", "dl dt /dt dd /dd dt | /dt /dl"],
    ["table tr td tr td /table", "table tr td /td /tr tr td /td /tr /table |"],
    [
      "table tr td table tr td /table /td th",
      "table tr td table tr td /td /tr /table /td th | /th /tr /table",
    ],
    ["table tbody tr td p /div /table", "table tbody tr td p /p /td /tr /tbody /table |"],
    ["div table tr td /div", "div table tr td | /td /tr /table /div"],
    ["ul li table tr td li /table", "ul li table tr td li /li /td /tr /table | /li /ul"],
    ["tr td td /td /tr", "tr td /td td /td /tr |"],
    ["a b a", "a b /b /a a | /a"],
    ["head title /title style /style p", "head title /title style /style /head p | /p"],
    ["html head body", "html head /head body | /body /html"],
    ["constructor __proto__ /constructor", "constructor __proto__ /__proto__ /constructor |"],
  ])("opens and closes for %s: %s", (tags, heard) => {
    expect(play(tags)).toBe(heard.trim());
  });
});
