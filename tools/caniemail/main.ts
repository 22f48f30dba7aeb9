// Reduces the data of caniemail.com to public/api/client-support.json: one letter for each feature
// and mail program, of the program's latest version that was tested.
//   npm pack caniemail@2.0.2 && tar xzf caniemail-2.0.2.tgz
//   node tools/caniemail/main.ts package/data/caniemail.json
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import type { ClientSupport } from "../../src/lint/client-support.ts";
import { featureNames } from "./feature-names.ts";

interface CanIEmail {
  readonly last_update_date: string;
  readonly nicenames: {
    readonly family: Readonly<Record<string, string>>;
    readonly platform: Readonly<Record<string, string>>;
  };
  readonly data: readonly { readonly slug: string; readonly stats: Stats }[];
}

/** Family → platform → version → a letter, followed by the numbers of notes. */
type Stats = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

const OUTPUT = new URL("../../public/api/client-support.json", import.meta.url);
const UNKNOWN = "u";

const source = JSON.parse(readFileSync(argv[2] ?? "caniemail.json", "utf8")) as CanIEmail;
writeFileSync(OUTPUT, linesOf(reduce(source)));

function reduce({ last_update_date: updated, nicenames, data }: CanIEmail): ClientSupport {
  const tested = data.map(({ slug, stats }) => ({ slug, letters: new Map(lettersOf(stats)) }));
  const ids = [...new Set(tested.flatMap(({ letters }) => [...letters.keys()]))].toSorted();
  const clients = Object.fromEntries(
    ids.map((id) => {
      const [family = "", platform = ""] = id.split(".");
      const name = nicenames.family[family] ?? family;
      return [id, `${name} (${nicenames.platform[platform] ?? platform})`];
    }),
  );
  const features = tested.flatMap(({ slug, letters }) => {
    const all = ids.map((id) => letters.get(id) ?? UNKNOWN).join("");
    return featureNames(slug).map((name) => [name, [slug, all]] as const);
  });
  return {
    notice:
      `Data of caniemail.com, ${updated.slice(0, 10)}. ` +
      "MIT License, Copyright (c) 2019 Rémi Parmentier: https://github.com/hteumeuleu/caniemail/blob/main/LICENSE",
    clients,
    features: Object.fromEntries(features.filter(([, [, letters]]) => letters.includes("n"))),
  };
}

/** Returns the letter of each mail program's latest version, by `<family>.<platform>`. */
function lettersOf(stats: Stats): [id: string, letter: string][] {
  return Object.entries(stats).flatMap(([family, platforms]) =>
    Object.entries(platforms).map(([platform, versions]): [string, string] => [
      `${family}.${platform}`,
      Object.values(versions).at(-1)?.charAt(0) ?? UNKNOWN,
    ]),
  );
}

/** Returns one line for each feature, so that git shows changes of the data by feature. */
function linesOf({ notice, clients, features }: ClientSupport): string {
  const lines = Object.entries(features).map(
    ([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`,
  );
  return `{
  "notice": ${JSON.stringify(notice)},
  "clients": ${JSON.stringify(clients)},
  "features": {
${lines.join(",\n")}
  }
}
`;
}
