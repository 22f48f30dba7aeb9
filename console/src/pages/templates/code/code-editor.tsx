// A code editor (CodeMirror), loaded when it is first shown. It is in a shadow root, because
// CodeMirror then puts its styles into adopted style sheets instead of a <style> element. The
// page's policy allows adopted style sheets, but no <style> element. The Tab key moves the focus
// out of the editor, as in any field.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import { CODE_THEME } from "./code-theme.ts";
import type { Mark } from "../template-facts.ts";

type CodeLanguage = "html" | "markdown" | "json";

/**
 * A position in the text. The editor moves the cursor there each time it gets a new object, even
 * with the same offset.
 */
export interface CodePosition {
  readonly offset: number;
}

interface CodeEditorProps {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isReadOnly?: boolean;
  readonly marks: readonly Mark[];
  readonly place?: CodePosition | null;
}

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = {
  html: () => html({ autoCloseTags: false }),
  markdown: () => markdown(),
  json: () => json(),
};

/** Marks a change in the editor that the page made, not the person. */
const FROM_PAGE = Annotation.define<true>();

export function CodeEditor(props: CodeEditorProps) {
  const { value, marks, place } = props;
  const host = useRef<HTMLDivElement>(null);
  const typed = useRef<string[]>([]);
  const view = useView(host, props, typed);
  useEffect(() => {
    // If the person types quickly, `value` can be an earlier text of the editor. Inserting it would
    // undo the newer typing.
    const at = typed.current.lastIndexOf(value);
    if (at !== -1) typed.current.splice(0, at + 1);
    else if (view.current) replaceText(view.current, value);
  }, [value, view]);
  useEffect(() => {
    if (view.current) showMarks(view.current, marks);
  }, [marks, view]);
  useEffect(() => {
    if (!place || !view.current) return;
    const anchor = Math.min(place.offset, view.current.state.doc.length);
    view.current.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.current.focus();
  }, [place, view]);
  return <div ref={host} className={`code ${props.language}`} />;
}

/** Creates the editor once. Later changes of the text and the marks update the existing editor. */
function useView(
  host: RefObject<HTMLDivElement | null>,
  props: CodeEditorProps,
  typed: RefObject<string[]>,
) {
  const { label, language, isReadOnly = false } = props;
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorState.readOnly.of(isReadOnly),
          extensionsFor(label, language, (text) => {
            typed.current.push(text);
            latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = made;
    showMarks(made, latest.current.marks);
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [host, label, language, isReadOnly, typed]);
  return view;
}

function extensionsFor(
  label: string,
  language: CodeLanguage,
  onChange: (text: string) => void,
): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isFromPage = transactions.some((one) => one.annotation(FROM_PAGE));
      if (docChanged && !isFromPage) onChange(state.doc.toString());
    }),
    LANGUAGES[language](),
    CODE_THEME,
  ];
}

function replaceText(view: EditorView, text: string): void {
  const present = view.state.doc.toString();
  if (present === text) return;
  view.dispatch({
    changes: { from: 0, to: present.length, insert: text },
    annotations: FROM_PAGE.of(true),
  });
}

/** Shows the marks. A mark made for an older text may lie beyond the end of the current text. */
function showMarks(view: EditorView, marks: readonly Mark[]): void {
  const { length } = view.state.doc;
  const diagnostics = marks.map(({ from, to, message }) => ({
    from: Math.min(from, length),
    to: Math.min(to, length),
    message,
    severity: "error" as const,
  }));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
