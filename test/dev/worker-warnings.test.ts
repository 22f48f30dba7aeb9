// Tests which lines of the worker's log `npm start` shows on the terminal
// (tools/dev/worker-warnings.ts).
import { expect, it } from "vitest";
import { warningIn } from "../../tools/dev/worker-warnings.ts";

it("npm start shows ignored members of a request with the probable name, without wrangler's colours", () => {
  const names = ["replyTo: did you mean reply_to?", 'a "b"'];
  const logged = JSON.stringify({
    level: "warning",
    event: "names_not_used",
    request_id: "req_x",
    header: "X-Ignored-Members",
    names,
  });
  const line = `\u001b[33m▲ \u001b[43;30mWARNING\u001b[0m \u001b[1m${logged}\u001b[0m`;
  expect(warningIn(line)).toBe(
    'postern: X-Ignored-Members: replyTo: did you mean reply_to?; a "b"',
  );
});

it.each(["", "GET /v1/whoami 200", '{"level":"warning","event":"webhook_failed"}'])(
  "npm start shows nothing for the log line %j",
  (line) => {
    expect(warningIn(line)).toBeNull();
  },
);
