// Measures a text's width in terminal columns: two for East Asian wide characters and emoji, none
// for combining marks (Unicode Standard Annexes 11 and 29).

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[ -~]*$/;
const EMOJI =
  /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2}|\p{Emoji_Modifier}|\u20e3/u;
/** Blocks in which every character is wide or full-width. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const WITHOUT_WIDTH = /^[\p{M}\p{Cf}]+$/u;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text))
    width += WITHOUT_WIDTH.test(segment) ? 0 : EMOJI.test(segment) || WIDE.test(segment) ? 2 : 1;
  return width;
}

/**
 * Pads the text with spaces. A longer text is not cut, because a cut address would name another
 * mailbox.
 */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
