// Tests `send --at` and `emails batch` (docs/command-line.md): the requests that they make from
// their input.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CliHarness } from "./cli-harness.ts";

const NOW = "2026-11-24T10:00:00.000Z";
const cli = new CliHarness().use();

beforeEach(() => {
  vi.setSystemTime(Date.parse(NOW));
  vi.stubEnv("TZ", "UTC");
});

describe("send --at", () => {
  const SEND = "send --from a@example.test --to b@example.net --subject Hi --text Hi".split(" ");
  it.each([
    ["2h", "2026-11-24T12:00:00.000Z", "in 2 hours"],
    ["in 2 hours", "2026-11-24T12:00:00.000Z", "in 2 hours"],
    ["In 90 Minutes", "2026-11-24T11:30:00.000Z", "in 1 hour 30 minutes"],
    ["1h30m", "2026-11-24T11:30:00.000Z", "in 1 hour 30 minutes"],
    ["1.5 days", "2026-11-25T22:00:00.000Z", "in 1 day 12 hours"],
    ["in a week, 2 days and 3 sec", "2026-12-03T10:00:03.000Z", "in 9 days"],
    ["an hour", "2026-11-24T11:00:00.000Z", "in 1 hour"],
    ["2027-01-31T09:00:00+01:00", "2027-01-31T09:00:00+01:00", "in 67 days 22 hours"],
    ["2026-11-24 11:00Z", "2026-11-24T11:00Z", "in 1 hour"],
    ["2026-11-24T10:30", "2026-11-24T10:30:00.000Z", "in 30 minutes"],
    ["2026-11-24T09:59:30Z", "2026-11-24T09:59:30Z", "now"],
  ])("%s is %s, and the command prints it", async (at, scheduled, words) => {
    cli.answer({ id: "email_1", created_at: NOW, scheduled_at: scheduled });
    const { out, code } = await cli.postern([...SEND, "--at", at]);
    expect(cli.bodies).toEqual([expect.objectContaining({ scheduled_at: scheduled })]);
    const time = new Date(scheduled).toISOString().slice(0, 19).replace("T", " ");
    const sentence = `The message goes out at ${time} UTC (${words}).`;
    expect([code, out]).toEqual([0, `Accepted: email_1\n${sentence}\n`]);
  });

  it("takes a time without an offset in the time zone of the machine", async () => {
    vi.stubEnv("TZ", "America/New_York");
    await cli.postern([...SEND, "--at", "2027-01-31T09:00"]);
    expect(cli.bodies).toMatchObject([{ scheduled_at: "2027-01-31T14:00:00.000Z" }]);
  });

  it.each([
    "",
    "tomorrow",
    "2",
    "2mo",
    "2 hours ago",
    "2027-01-31",
    "2027-02-30T09:00",
    "2h2",
    "99:00",
  ])("%j is refused without a request", async (at) => {
    const { code, err } = await cli.postern([...SEND, `--at=${at}`]);
    expect(err).toContain(`--at is neither a time nor a duration: ${at} (such as`);
    expect([code, cli.requests]).toEqual([2, []]);
  });
});

describe("emails batch", () => {
  const TWO = () => [message("1"), message("2")];
  const linesOf = (messages: readonly object[]) =>
    messages.map((one) => JSON.stringify(one)).join("\n");
  const message = (subject: string) => ({ to: ["a@example.net"], subject });
  const queued = (total: number) => ({ summary: { total, queued: total, failed: 0 }, data: [] });
  const file = (content: string): string => {
    const path = join(cli.home, "batch");
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ["JSON lines", `${linesOf(TWO()).replace("\n", "\n\n")}\n`],
    ["a list", JSON.stringify(TWO())],
    ["a batch as the API takes it", JSON.stringify({ emails: TWO() }, null, 2)],
  ])("sends a file of %s", async (_, content) => {
    cli.answer(queued(2));
    const { out, code } = await cli.postern(["emails", "batch", file(content)]);
    expect([code, out]).toEqual([0, "Accepted: 2\n"]);
    expect(cli.lines).toEqual(["POST /v1/email/batch"]);
    expect(cli.bodies).toEqual([{ emails: TWO() }]);
  });

  it("sends standard input in hundreds, each with a key of its own, and prints a line for each", async () => {
    const input = linesOf(Array.from({ length: 201 }, (_, at) => message(`${at}`)));
    const errors = { "to.0": ["is not an address"] };
    const error = { type: "validation_error", message: "No.", errors };
    const summary = { total: 100, queued: 99, failed: 1 };
    const failed = { summary, data: [{ status: "failed", index: 4, error }] };
    const answers = [queued(100), failed, queued(1)];
    cli.answer(...answers);
    const args = "emails batch - --permissive --idempotency-key k";
    const { out, code } = await cli.postern(args, { input });
    expect(out).toBe(
      "Accepted: 100\nAccepted: 99, failed: 1\nemails.104: to.0 is not an address\nAccepted: 1\n",
    );
    expect(code).toBe(1);
    const [first, second, last] = cli.bodies;
    expect([first, second].map((body) => (body as { emails: [] }).emails.length)).toEqual([
      100, 100,
    ]);
    expect(last).toMatchObject({ validation: "permissive", emails: [message("200")] });
    const sentKeys = cli.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(sentKeys).toEqual(["k", "k-2", "k-3"]);
    cli.answer(...answers);
    const lines = (await cli.postern(`${args} --json`, { input })).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(answers);
  });

  it("says what was sent before a refused request, and why each message was refused", async () => {
    const error = { type: "internal_error", message: "Full." };
    const data = [{ status: "failed", index: 0, error }];
    const refused = { summary: { total: 1, queued: 0, failed: 1 }, data };
    cli.answers = [
      { status: 200, body: queued(100) },
      { status: 400, body: refused },
    ];
    const list = Array.from({ length: 101 }, () => message("x"));
    const ran = await cli.postern(["emails", "batch", file(JSON.stringify(list))]);
    expect(ran).toMatchObject({ code: 5, out: "Accepted: 100\n" });
    expect(ran.err).toBe(
      "postern: the first 100 messages of the file were already sent to the API\n" +
        "postern: 400: no message of the batch was queued\nemails.0: Full.\n",
    );
    cli.answers = [{ status: 429, body: refused }];
    const capped = await cli.postern(["emails", "batch", file("[{}]"), "--json"]);
    expect([capped.code, JSON.parse(capped.err)]).toMatchObject([6, { error: { data } }]);
  });

  it.each([
    ['{"to":[]}\n{to}\n', "is neither JSON nor JSONL: see its line 2"],
    ["[]", "the file has no message"],
    ["\n", "the file has no message"],
  ])("refuses %j without a request", async (content, words) => {
    const { code, err } = await cli.postern(["emails", "batch", file(content)]);
    expect(err).toContain(words);
    expect([code, cli.requests]).toEqual([2, []]);
  });
});
