// Reads the headers of automatic answers, test/fixtures/automatic-answers.txt.
import { linesOf, rowsOf } from "../../../fixture-rows.ts";

/** The program, and the fields by which its mail differs from a person's. */
type AutomaticForm = readonly [program: string, ...fields: string[]];

/** The fields of a program come with a subject that a person's answer may have too. */
export const AUTOMATIC_FORMS: readonly AutomaticForm[] = [
  ...rowsOf<AutomaticForm>("automatic-answers", "fields").map(
    ([program, ...fields]): AutomaticForm => [program, "Subject: Re: Verify your email", ...fields],
  ),
  ...linesOf("automatic-answers", "subjects").map((subject): AutomaticForm => [
    subject,
    `Subject: ${subject}`,
  ]),
];
