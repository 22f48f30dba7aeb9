// Reads a colour of CSS, and tells how light it is. Pure.

/** Names of dark colours that mail uses for text. All other names count as light. */
const DARK_NAMES: Readonly<Record<string, string>> = {
  black: "#000000",
  navy: "#000080",
  darkblue: "#00008b",
  midnightblue: "#191970",
  darkslategray: "#2f4f4f",
  darkslategrey: "#2f4f4f",
  darkgreen: "#006400",
  green: "#008000",
  maroon: "#800000",
  purple: "#800080",
  indigo: "#4b0082",
  dimgray: "#696969",
  dimgrey: "#696969",
  gray: "#808080",
  grey: "#808080",
};
const NAME = /^[a-z]+$/;
const HEX = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const RGB = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/;
const HSL = /^hsla?\([^,]{1,20},\s*0%,\s*(\d{1,3})%/;
const KEYWORDS = new Set(["inherit", "initial", "unset", "currentcolor", "transparent"]);

/**
 * Returns the relative luminance (WCAG 2.2), 0 to 1. Undefined means that the colour is unknown or
 * inherited.
 */
export function luminanceOf(colour: string): number | undefined {
  const text = colour.trim().toLowerCase();
  if (KEYWORDS.has(text)) return undefined;
  const known = Object.hasOwn(DARK_NAMES, text) ? DARK_NAMES[text] : undefined;
  const channels = channelsOf(known ?? text);
  if (!channels) return NAME.test(text) ? 1 : undefined;
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(text: string): readonly number[] | undefined {
  const [, hex] = HEX.exec(text) ?? [];
  if (hex !== undefined) {
    const isShort = hex.length < 6;
    return [0, 1, 2].map((index) =>
      isShort
        ? Number.parseInt(hex.charAt(index).repeat(2), 16)
        : Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
    );
  }
  // Only greys are read from HSL, because other hues are rare in mail. A grey has the same value in
  // each channel.
  const [, grey] = HSL.exec(text) ?? [];
  if (grey !== undefined) return [0, 1, 2].map(() => (Number(grey) * 255) / 100);
  const [, ...channels] = RGB.exec(text) ?? [];
  return channels.length === 3 ? channels.map(Number) : undefined;
}
