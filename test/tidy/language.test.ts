// Checks the rules for what people read: a comment can be read without the code, and a page cites
// only documents and headings that exist.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenCitations, brokenReferences, missingFiles, pages } from "./citations.ts";
import { unreadableComments, unreadableTexts, unreadableTitles } from "./comment-rules.ts";
import { ownFiles } from "./source-files.ts";

const files = ownFiles();
const ROOT = join(import.meta.dirname, "../..");
const MOST_WORDS_OF_A_PAGE = 2_500;

function wordsOf(page: string): number {
  return readFileSync(join(ROOT, page), "utf8").trim().split(/\s+/).length;
}

describe("comments", () => {
  it("open with their subject, and speak of people and programs by name", () => {
    expect(files.flatMap(unreadableComments)).toEqual([]);
  });

  it("cite only documents, headings and decisions that are in the repository", () => {
    expect(files.flatMap(({ path, text }) => brokenCitations(path, text))).toEqual([]);
    expect(pages().flatMap(brokenReferences)).toEqual([]);
  });

  it("fail the check if a citation leads nowhere", () => {
    // The replacements keep this file itself free of broken citations.
    const spell = (text: string) => text.replaceAll("%", ".md").replace("decided", "decision");
    const cited = spell(
      "// Refuses (contract% §Failed authentication, contract%\n// §No such heading; none%; " +
        "decided 0000).\nconst A = 1; // wire% §Any",
    );
    expect(brokenCitations("src/any.ts", cited)).toEqual(
      ["contract% §No such heading", "none%", "wire% §Any", "decided 0000"].map(
        (broken) => `src/any.ts: ${spell(broken)}`,
      ),
    );
  });
});

describe("texts of the product and the tools", () => {
  it("speak of people and programs by name, as comments do", () => {
    const speaking = files.filter(({ path }) => !path.startsWith("test/"));
    expect(speaking.flatMap(unreadableTexts)).toEqual([]);
  });
});

describe("titles of tests", () => {
  it("speak of people and programs by name, as comments do", () => {
    expect(files.flatMap(unreadableTitles)).toEqual([]);
  });
});

describe("pages", () => {
  it("name only files that are in the repository", () => {
    const paths = files.map(({ path }) => path);
    expect(pages().flatMap((page) => missingFiles(page, paths))).toEqual([]);
  });

  it("of docs/ have at most 2,500 words", () => {
    const docs = pages().filter((page) => page.startsWith("docs/"));
    expect(docs.length).toBeGreaterThan(40);
    expect(docs.filter((page) => wordsOf(page) > MOST_WORDS_OF_A_PAGE)).toEqual([]);
  });
});
