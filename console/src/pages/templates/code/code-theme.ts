// The theme of the code editor. It uses the page's colour variables, so it changes with the page's
// theme.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const BOX = {
  backgroundColor: "var(--panel)",
  color: "var(--ink)",
  border: "1px solid var(--line)",
  borderRadius: "6px",
};

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--ink)", fontSize: "12.5px" },
  // The outline of the focus is on the element around the editor.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "1.55",
    maxHeight: "var(--editor-most, 60vh)",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--bg)",
    color: "var(--ink-3)",
    borderRight: "1px solid var(--line-2)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--see-soft)" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--wait-soft)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-searchMatch.cm-searchMatch-selected": { outline: "1px solid var(--wait)" },
  ".cm-panels": {
    backgroundColor: "var(--bg)",
    color: "var(--ink)",
    borderColor: "var(--line)",
    fontFamily: "var(--sans)",
  },
  ".cm-textfield, .cm-button": { ...BOX, backgroundImage: "none", fontSize: "12.5px" },
  ".cm-panel.cm-search label": { fontSize: "12.5px" },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink)", fontSize: "16px" },
  ".cm-tooltip": BOX,
  ".cm-diagnostic": { fontFamily: "var(--sans)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textDecorationSkipInk: "none",
  },
  ".cm-mustache": { color: "var(--accent)", fontWeight: "600" },
});

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.heading, tags.propertyName], color: "var(--see)" },
  { tag: [tags.attributeName, tags.link, tags.url], color: "var(--spam)" },
  { tag: [tags.string, tags.attributeValue], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--wait)" },
  { tag: [tags.comment, tags.punctuation, tags.angleBracket, tags.meta], color: "var(--ink-3)" },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
]);

const mustache = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: "cm-mustache" }),
});

/** Marks the template's `{{…}}` tags. */
const mustaches = ViewPlugin.define(
  (view) => ({
    marks: mustache.createDeco(view),
    update(update: ViewUpdate): void {
      this.marks = mustache.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

export const CODE_THEME: Extension = [look, syntaxHighlighting(colours), mustaches];
