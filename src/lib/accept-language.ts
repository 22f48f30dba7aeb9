// Chooses the language of a page by the Accept-Language header (RFC 9110 §12.5.4), with the lookup
// of RFC 4647 §3.4: `pt-BR` is served by `pt`. Pure.

/** Browsers send less. The rest of a longer header is not read. */
const HEADER_CHARACTERS = 1_000;
const RANGE =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

interface Range {
  /** Lower case. */
  readonly name: string;
  readonly quality: number;
}

/** One of `offered`, which are lower case and begin with the one for everybody else. */
export function chooseLanguage<Language extends string>(
  header: string | undefined,
  offered: readonly [Language, ...Language[]],
): Language {
  const ranges = rangesIn(header ?? "");
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ name }) => name));
  const free = offered.filter((language) => !refused.has(language));
  for (const { name, quality } of ranges.toSorted((left, right) => right.quality - left.quality)) {
    const found =
      quality === 0
        ? undefined
        : name === "*"
          ? free[0]
          : free.find((language) => covers(language, name));
    if (found !== undefined) return found;
  }
  return offered[0];
}

/** Ranges that are not well-formed are left out. */
function rangesIn(header: string): Range[] {
  return header
    .slice(0, HEADER_CHARACTERS)
    .split(",")
    .flatMap((text) => {
      const [, name, quality = "1"] = RANGE.exec(text.trim()) ?? [];
      return name === undefined ? [] : [{ name: name.toLowerCase(), quality: Number(quality) }];
    });
}

function covers(language: string, range: string): boolean {
  return range === language || range.startsWith(`${language}-`);
}
