// Tells which mail programs drop a feature of HTML or CSS. The data comes from caniemail.com.
// tools/caniemail reduced it to one letter for each feature and program
// (public/api/client-support.json, which has the licence's notice). Pure.

export interface ClientSupport {
  /** The licence's notice, and the date of the data. */
  readonly notice: string;
  /** The names of the programs, by ids such as `outlook.windows`. */
  readonly clients: Readonly<Record<string, string>>;
  /**
   * The features, by the names that authors write, such as `display:flex`, `<video>` or `:hover`.
   * Each has its name at caniemail.com, and a letter for each program in the order of `clients`:
   * `y` supported, `a` partly, `n` dropped, `u` unknown.
   */
  readonly features: Readonly<Record<string, readonly [slug: string, letters: string]>>;
}

/** The families of programs for which a team's mail is checked if the team chooses none. */
export const STANDARD_CLIENTS = ["gmail", "outlook", "apple-mail", "yahoo"] as const;
/** Windows Mail, which has not worked since the end of 2024. */
const GONE = "outlook.windows-mail";
/** Outlook on Windows. It renders mail with Word, and skips `<!--[if !mso]>`. */
const WORD = "outlook.windows";

export interface Dropped {
  readonly slug: string;
  /** The programs that drop the feature, by their ids. */
  readonly ids: readonly string[];
}

/** Tells which of the chosen mail programs do not support a feature of HTML or CSS. */
export class ChosenClients {
  readonly #support: ClientSupport;
  readonly #chosen: readonly { readonly id: string; readonly column: number }[];

  /** Takes families such as `gmail`, or single programs such as `gmail.android`. */
  constructor(support: ClientSupport, names: readonly string[]) {
    this.#support = support;
    this.#chosen = Object.keys(support.clients)
      .map((id, column) => ({ id, column }))
      .filter(({ id }) => names.includes(id) || (id !== GONE && names.includes(familyOf(id))));
  }

  /**
   * Returns the chosen programs that drop the feature. Undefined means that all of them support it,
   * or the data does not have it.
   */
  droppedBy(feature: string, isForWord: boolean): Dropped | undefined {
    const { features } = this.#support;
    const found = Object.hasOwn(features, feature) ? features[feature] : undefined;
    if (!found) return undefined;
    const [slug, letters] = found;
    const ids = this.#chosen
      .filter(({ id, column }) => letters[column] === "n" && (isForWord || id !== WORD))
      .map(({ id }) => id);
    return ids.length === 0 ? undefined : { slug, ids };
  }

  /** Names programs for people. Uses one name for a whole family. */
  namesOf(ids: readonly string[]): string {
    const families = [...new Set(ids.map(familyOf))];
    const names = families.flatMap((family) => {
      const dropping = ids.filter((id) => familyOf(id) === family);
      const all = this.#chosen.filter(({ id }) => familyOf(id) === family);
      const shown = dropping.map((id) => this.#support.clients[id] ?? id);
      return dropping.length === all.length ? [shown[0]?.replace(/ \(.*/, "") ?? family] : shown;
    });
    return names.length > 1
      ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
      : (names[0] ?? "");
  }
}

/** Returns the names that a team may choose: each family, and each program. */
export function clientNames({ clients }: ClientSupport): ReadonlySet<string> {
  const ids = Object.keys(clients);
  return new Set([...ids.map(familyOf), ...ids]);
}

function familyOf(id: string): string {
  return id.slice(0, id.indexOf("."));
}
