// Tests the actions of the command line (docs/command-line.md), each against an API whose answers
// the test chooses.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CliHarness } from "./cli-harness.ts";
import { ACTION_CASES, NOW } from "./command-action-cases.ts";

const cli = new CliHarness().use();

beforeEach(() => {
  vi.setSystemTime(Date.parse(NOW));
});

describe("the command line", () => {
  it.each(ACTION_CASES)("runs $command", async ({ command, answers, asks, body, prints, code }) => {
    cli.answers = answers.map((one) => ({ status: one === undefined ? 204 : 200, body: one }));
    const ran = await cli.postern(command);
    expect([ran.err, ran.code]).toEqual(["", code]);
    expect(ran.out).toMatch(prints);
    expect(cli.lines).toEqual(asks);
    if (body !== undefined) expect(cli.bodies.at(-1)).toEqual(body);
  });

  it.each([
    ["emails cancel", "give either a message's id or --campaign"],
    ["emails cancel email_1 --campaign c", "give either a message's id or --campaign"],
    ["emails move email_1", "--at is missing"],
    ["domains update example.com", "nothing to change"],
    ["domains update example.com --opens yes", "--opens is on or off, not yes"],
    ["webhooks create https://a.b/ --events bounced", '--events: "bounced" is not one of email.'],
    ["stats --by country", "--by is domain or provider, not country"],
    ["api GTE /v1/whoami", "there is no method GTE; did you mean GET?"],
    ["api GET v1/whoami", "the path must begin with a slash"],
    ["api GET https://elsewhere.example.com/", "the path must begin with a slash"],
    ["api GET /v1/whoami --data {}", "GET takes no --data"],
    ["api POST /v1/domains --data {name}", "--data is not JSON: name its type"],
    ["api POST /v1/domains --data @missing.json", "missing.json can't be read"],
    ["api POST /v1/domains --header colonless", '--header is not "Name: value": colonless'],
    ["emails batch missing.jsonl", "missing.jsonl can't be read"],
  ])("explains the mistake %j without a request", async (words, message) => {
    const { code, err } = await cli.postern(words);
    expect([code, err]).toEqual([2, expect.stringContaining(`postern: ${message}`)]);
    expect(cli.requests).toEqual([]);
  });
});

describe("an action that destroys", () => {
  const DELETE = ["webhooks", "delete", "wh_1"];

  it.each([
    ["a yes", DELETE, "yes\n", 0, ["DELETE /v1/webhooks/wh_1"]],
    ["a y", DELETE, "Y\n", 0, ["DELETE /v1/webhooks/wh_1"]],
    ["a no", DELETE, "no\n", 1, []],
    ["an empty line", DELETE, "\n", 1, []],
    ["the input's end", DELETE, "", 2, []],
    ["no question, with --yes", [...DELETE, "--yes"], "", 0, ["DELETE /v1/webhooks/wh_1"]],
  ])("on a terminal, continues only after a yes: %s", async (_, args, input, code, asked) => {
    cli.answers = [{ status: 204 }];
    const ran = await cli.postern(args, { input, isTerminal: true });
    expect([ran.code, cli.lines]).toEqual([code, asked]);
    const question = `Delete the webhook wh_1, and its undelivered events? (${cli.url}) [y/N] `;
    expect(ran.err.includes(question)).toBe(!args.includes("--yes"));
  });

  it.each([
    ["without a key", DELETE, 3],
    ["with a word that is missing", ["webhooks", "delete"], 2],
    ["with options that contradict each other", ["emails", "cancel", "a", "--campaign", "b"], 2],
  ])("asks nothing %s", async (_, args, code) => {
    const ran = await cli.keyless(args, { input: "yes\n", isTerminal: true });
    expect([ran.code, ran.err.includes("[y/N]")]).toEqual([code, false]);
  });
});
