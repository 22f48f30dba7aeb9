// The keyboard shortcuts of the console in one table, for the key handlers, the dialog that lists
// them, and docs/console.md. The shortcuts of the sections are `g` and a letter
// (shell/sections.ts). Pure.

interface Shortcut {
  /** The key, named as in a keyboard event. */
  readonly key: string;
  /** Another key with the same effect. */
  readonly or?: string;
  readonly isWithControl?: boolean;
  readonly place: "everywhere" | "list" | "chart" | "editor";
  readonly does: string;
}

export const SHORTCUTS = {
  search: { key: "/", place: "everywhere", does: "Go to the search field" },
  help: { key: "?", place: "everywhere", does: "Show keyboard shortcuts" },
  undo: { key: "u", place: "everywhere", does: "Undo the last change" },
  nextRow: { key: "j", or: "ArrowDown", place: "list", does: "Next row" },
  previousRow: { key: "k", or: "ArrowUp", place: "list", does: "Previous row" },
  openRow: { key: "Enter", place: "list", does: "Open the row" },
  closeRow: { key: "Escape", place: "list", does: "Close the row" },
  chooseRow: { key: "x", place: "list", does: "Choose the row, where rows have boxes" },
  nextBar: { key: "ArrowRight", place: "chart", does: "Next bar or point" },
  previousBar: { key: "ArrowLeft", place: "chart", does: "Previous bar or point" },
  partAbove: { key: "ArrowUp", place: "chart", does: "Segment above" },
  partBelow: { key: "ArrowDown", place: "chart", does: "Segment below" },
  firstBar: { key: "Home", place: "chart", does: "First bar or point" },
  lastBar: { key: "End", place: "chart", does: "Last bar or point" },
  save: { key: "s", isWithControl: true, place: "editor", does: "Save the draft" },
} as const satisfies Record<string, Shortcut>;

/** The first key of a section's shortcut. */
export const SECTION_KEY = "g";

const PLACES: Readonly<Record<Shortcut["place"], string>> = {
  everywhere: "Everywhere",
  list: "In a list",
  chart: "In a chart",
  editor: "In the template editor",
};
const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

/** A line of the dialog that lists the shortcuts. */
export interface ListedKey {
  readonly place: string;
  /**
   * The keys as shown. All of them have the same effect. An entry such as `g d` means two keys in
   * sequence.
   */
  readonly keys: readonly string[];
  readonly does: string;
}

/** A page, and the letter that opens it after `g`. */
export interface LetteredPage {
  readonly letter: string;
  readonly name: string;
}

export function listKeys(sections: readonly LetteredPage[]): readonly ListedKey[] {
  const shortcuts: readonly Shortcut[] = Object.values(SHORTCUTS);
  return [
    ...shortcuts.map(({ key, or, isWithControl, place, does }) => ({
      place: PLACES[place],
      keys: [key, ...(or === undefined ? [] : [or])].map(
        (one) => `${isWithControl ? "Ctrl or ⌘ + " : ""}${NAMES[one] ?? one}`,
      ),
      does,
    })),
    ...sections.map(({ letter, name }) => ({
      place: "Pages",
      keys: [`${SECTION_KEY} ${letter}`],
      does: name,
    })),
  ];
}

/** Tells whether the pressed key belongs to this shortcut. */
export function isKey(key: string, name: keyof typeof SHORTCUTS): boolean {
  const shortcut: Shortcut = SHORTCUTS[name];
  return key === shortcut.key || key === shortcut.or;
}
