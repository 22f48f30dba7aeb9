// Chooses the language of a page from the Accept-Language header (RFC 9110 §12.5.4), by the lookup
// of RFC 4647 §3.4: `pt-BR` matches `pt`. Pure.

/** Maximum length of the header that is read. No browser's header is longer. */
const HEADER_CHARACTERS = 1_000;
const RANGE =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

interface Range {
  /** The language range in lower case, such as `pt-br`. */
  readonly name: string;
  readonly quality: number;
}

/**
 * Returns the best of the `offered` languages, whose names are in lower case. The first of them is
 * the default.
 */
export function chooseLanguage<Language extends string>(
  header: string | undefined,
  offered: readonly [Language, ...Language[]],
): Language {
  const ranges = parseRanges(header ?? "");
  const excluded = new Set(ranges.filter(({ quality }) => quality === 0).map(({ name }) => name));
  const allowed = offered.filter((language) => !excluded.has(language));
  for (const { name, quality } of ranges.toSorted((left, right) => right.quality - left.quality)) {
    const found =
      quality === 0
        ? undefined
        : name === "*"
          ? allowed[0]
          : allowed.find((language) => covers(language, name));
    if (found !== undefined) return found;
  }
  return offered[0];
}

/** Parses the header's language ranges. Malformed ranges are left out. */
function parseRanges(header: string): Range[] {
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
