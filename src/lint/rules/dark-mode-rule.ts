// Finds dark text without a background of its own, and light backgrounds whose text has no colour
// of its own. A program in dark mode may change only one of the two: it shows the dark text on its
// own dark background, or light text on the mail's light background. A mail that declares support
// for dark mode asks programs not to change its colours
// (https://webkit.org/blog/8840/dark-mode-support-in-webkit/). Pure.
import { OpenElements } from "../../lib/html/html-open-elements.ts";
import { luminanceOf } from "../css-colours.ts";
import { cssParts } from "../css-parts.ts";
import type { CheckedMail, AddProblem } from "../checked-mail.ts";
import type { HtmlTag, HtmlVisitor } from "../html-visitor.ts";

/**
 * The luminance below which text can't be read on a dark background: less than 3:1 against #1f1f1f.
 */
const DARK = 0.14;
/** The luminance above which a background hides light text: less than 3:1 against #e8eaed. */
const LIGHT = 0.25;
const GROUND = /^background(?:-color|-image)?$/;
const NO_GROUND = /^(?:none|transparent|inherit|initial|unset|rgba\(.*,\s*0\))$/;

/** The colours of the text in an open element. */
interface Painted {
  readonly hasGround: boolean;
  /** The tag that made the background light. */
  readonly light: HtmlTag | undefined;
  readonly hasColour: boolean;
  /** The tag that made the text dark. */
  readonly dark: HtmlTag | undefined;
  readonly isHidden: boolean;
}

const UNPAINTED: Painted = {
  hasGround: false,
  light: undefined,
  hasColour: false,
  dark: undefined,
  isHidden: false,
};

export function beginDarkMode(_: CheckedMail, report: AddProblem): HtmlVisitor {
  const stack: Painted[] = [UNPAINTED];
  const elements = new OpenElements<null>(() => void stack.pop());
  let isDeclared = false;
  let hasDarkStyles = false;
  // True if a class sets a background or a colour. A class may apply to any element, so the style
  // attributes of such a mail do not show all its colours.
  const byClass = { ground: false, colour: false };
  let found: { readonly tag: HtmlTag; readonly what: string } | undefined;
  return {
    open: (tag) => {
      if (tag.name === "meta" && /color-schemes?$/i.test(tag.value("name") ?? ""))
        isDeclared ||= /\bdark\b/i.test(tag.value("content") ?? "");
      elements.closeBefore(tag.name);
      const depth = elements.depth;
      elements.open(tag.name, null);
      if (elements.depth > depth) stack.push(paint(tag, stack.at(-1)));
    },
    close: (name) => elements.close(name),
    text: (text) => {
      const { dark, hasGround, light, hasColour, isHidden } = stack.at(-1) ?? UNPAINTED;
      if (isHidden || text.trim() === "") return;
      if (dark && !hasGround && !byClass.ground)
        found ??= { tag: dark, what: "dark text without a background" };
      else if (light && !hasColour && !byClass.colour)
        found ??= { tag: light, what: "a light background whose text has no colour" };
    },
    style: (css) => {
      for (const part of cssParts(css, true)) {
        if (part.kind === "at") hasDarkStyles ||= part.text.includes("prefers-color-scheme");
        else if (part.kind === "selector") continue;
        else if (part.property === "color-scheme" && !part.isConditional)
          isDeclared ||= part.value.includes("dark");
        else if (GROUND.test(part.property) && !NO_GROUND.test(part.value)) {
          byClass.ground ||= !part.isConditional;
        } else if (part.property === "color") byClass.colour ||= !part.isConditional;
      }
    },
    end: () => {
      if (!found || hasDarkStyles) return;
      report({
        severity: isDeclared ? "warning" : "note",
        at: { offset: found.tag.start },
        message: isDeclared
          ? `The mail declares a dark scheme, but has ${found.what} of its own.`
          : `The mail has ${found.what} of its own, which dark mode may make unreadable.`,
        help:
          "Give `color` and `background-color` together, or add styles for " +
          "`@media (prefers-color-scheme: dark)`.",
      });
    },
  };
}

function paint(tag: HtmlTag, outer: Painted = UNPAINTED): Painted {
  let painted = outer;
  const set = (property: string, value: string): void => {
    painted = { ...painted, ...change(property, value.toLowerCase().trim(), tag) };
  };
  const [ground, picture] = [tag.value("bgcolor"), tag.value("background")];
  if (picture !== undefined) set("background-image", picture);
  if (ground !== undefined) set("background-color", ground);
  const colour = tag.value(tag.name === "body" ? "text" : "color");
  if (colour !== undefined) set("color", colour);
  for (const part of cssParts(tag.value("style") ?? "", false))
    if (part.kind === "declaration") set(part.property, part.value);
  return painted;
}

/**
 * Returns the colours that a declaration changes. The colour of a link comes from the mail program.
 */
function change(property: string, value: string, tag: HtmlTag): Partial<Painted> {
  if (property === "display") return value === "none" ? { isHidden: true } : {};
  if (GROUND.test(property)) {
    if (NO_GROUND.test(value)) return {};
    const luminance = luminanceOf(value.startsWith("rgb") ? value : (value.split(" ", 1)[0] ?? ""));
    const isLight = property !== "background-image" && luminance !== undefined && luminance > LIGHT;
    return { hasGround: true, light: isLight ? tag : undefined };
  }
  if (property !== "color") return {};
  const luminance = luminanceOf(value);
  return luminance === undefined
    ? {}
    : { hasColour: true, dark: luminance < DARK ? tag : undefined };
}
