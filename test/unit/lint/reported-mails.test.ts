// Tests the rules of a check before a send (docs/mail-check.md): each finds the faults of public
// bug reports, and is silent about the mended mails.
import { describe, expect, it } from "vitest";
import { LINT_RULES } from "../../../src/lint/mail-problem.ts";
import { REPORTED } from "./reported-mails.ts";
import { judgeShort } from "./short-mail.ts";

describe.each(LINT_RULES)("the rule %s", (rule) => {
  it.each(REPORTED[rule])("finds the fault of %s, none in its mended twin", (_, broken, mended) => {
    const found = (mail: typeof broken) => judgeShort(mail).filter((one) => one.rule === rule);
    expect(found(broken)).not.toEqual([]);
    expect(found(mended).filter(({ severity }) => severity !== "note")).toEqual([]);
  });
});
