// Predicts the height of a code editor before its code is loaded (code-theme.ts). Pure.

const LINE_PX = 19.375;
const PADDING_PX = 18;
const MOST_LINES = 27;

/** The least height of the source's editor, which grows with the window (templates.css). */
export const SOURCE_PX = 480;

/** Returns the editor's height in pixels for this text. Wrapped lines are not counted. */
export function editorHeight(text: string): number {
  return PADDING_PX + LINE_PX * Math.min(MOST_LINES, text.split("\n").length);
}
