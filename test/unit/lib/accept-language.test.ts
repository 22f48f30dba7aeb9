// Tests how Accept-Language is read (src/lib/accept-language.ts): the weights of RFC 9110 §12.5.4,
// regions, and the headers of browsers and other clients.
import { describe, expect, it } from "vitest";
import { chooseLanguage } from "../../../src/lib/accept-language.ts";

const choose = (header?: string) => chooseLanguage(header, ["en", "de", "fr", "pt", "zh-hant"]);

describe("chooseLanguage", () => {
  it.each([
    ["de", "de"],
    ["DE", "de"],
    ["pt-BR", "pt"],
    ["de-CH-1996, fr;q=0.9", "de"],
    ["pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt"],
    ["en;q=0.5, fr;q=0.7, de;q=0.6", "fr"],
    ["fr;q=0.7,de;q=0.7", "fr"],
    ["sv, de;q=0.3", "de"],
    ["en-GB;q=0.8, de ; q=0.9", "de"],
    ["zh-Hant-TW, de;q=0.9", "zh-hant"],
    ["fr\t;\tq=1.000 , de", "fr"],
  ])("chooses for %s the language %s", (header, language) => {
    expect(choose(header)).toBe(language);
  });

  it.each([..."* sv zh-TW den x ,,, ;q=1 q=1 de;q=0 de;q=0.000".split(" "), undefined, ""])(
    "chooses the default language for %s",
    (header) => {
      expect(choose(header)).toBe("en");
    },
  );

  it("lets * match any language that is not excluded", () => {
    expect(choose("en;q=0, *")).toBe("de");
    expect(choose("en;q=0, de;q=0, *;q=0.1")).toBe("fr");
    expect(choose("fr;q=0.5, *;q=0.4")).toBe("fr");
    expect(choose("*;q=0")).toBe("en");
  });

  it("excludes a language with its regions", () => {
    expect(choose("de;q=0, de-AT, fr;q=0.1")).toBe("fr");
  });

  it("ignores malformed ranges and keeps the others", () => {
    expect(choose("de;q=2, fr;q=-1, en-;q=1, pt;q=0.1234, <script>, de-DE;level=1, fr;q=0.2")).toBe(
      "fr",
    );
  });

  it("reads only the start of a very long header", () => {
    expect(choose(`${"sv,".repeat(100_000)}de`)).toBe("en");
  });
});
