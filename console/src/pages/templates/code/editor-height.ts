// Foretells the height of a code editor, whose code is loaded late (code-theme.ts). Pure.

const LINE_PX = 19.375;
const PADDING_PX = 18;
const MOST_LINES = 27;

/** Returns the height in pixels of an editor with this text, as long as no line is wrapped. */
export function editorHeight(text: string): number {
  return PADDING_PX + LINE_PX * Math.min(MOST_LINES, text.split("\n").length);
}
