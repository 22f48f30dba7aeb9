// Reads the cases of templates in test/fixtures/templates.txt, each with the output of Handlebars.
// A test in Node runs Handlebars to confirm each output.
import { rowsOf, tablesOf } from "../../fixture-rows.ts";

export interface TemplateCase {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly escape: boolean;
  readonly text: string;
}

type Row = [template: string, variables: TemplateCase["variables"], text: string, escape?: boolean];

export const CASES: Readonly<Record<string, readonly TemplateCase[]>> = Object.fromEntries(
  Array.from(tablesOf("templates").keys(), (group) => [
    group,
    rowsOf<Row>("templates", group).map(([template, variables, text, escape = true]) => {
      return { template, variables, text, escape };
    }),
  ]),
);
