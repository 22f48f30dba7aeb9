// Tests how the doctor judges what a tracking host answers (docs/doctor.md): with the certificate, the
// fallback origin, the route and the service behind it, each fault by Cloudflare's own code.
import { expect, it } from "vitest";
import { judgeHost, type Reached } from "../../tools/setup/doctor/check-tracking.ts";
import { NoHttpResponse } from "../../tools/setup/json-call.ts";

const HOST = "click.shop.example";
const answer = (status: number, text: string): Reached => ({
  status,
  text,
  json: undefined,
  headers: new Headers(),
});
const OWN = answer(404, "This link leads nowhere.");

it.each<[string, Reached, RegExp]>([
  ["this service's own page", OWN, /^ok .* comes through to this service → null$/],
  ["a broken handshake", new NoHttpResponse("ECONNRESET"), /^critical .*ECONNRESET.* → verify/],
  ["no name", new NoHttpResponse("ENOTFOUND"), /^critical .*ENOTFOUND.* → publish .* CNAME/],
  ["1014", answer(409, "error code: 1014"), /^critical .*another account.*1014\) → verify/],
  [
    "1016",
    answer(530, "error code: 1016"),
    /^critical .*no fallback origin.*1016\) → npm run setup/,
  ],
  ["522", answer(522, "<html>"), /^critical .*no route.*522\) → npm run setup/],
  ["a website of others", answer(200, "<html>"), /^critical .*something other.*code 200\) → look/],
  [
    "a rule of the zone",
    answer(403, "error code: 1010"),
    /^critical .*HTTP 403, code 1010\) → look/,
  ],
])("a host is judged by its answer: %s", (_, reached, line) => {
  const { status, what, mend } = judgeHost(HOST, true, reached, OWN);
  expect(`${status} ${what} → ${mend}`).toMatch(line);
  // A host of which no mail is tracked yet breaks nothing.
  const unused = judgeHost(HOST, false, reached, OWN);
  expect(unused.status).toBe(status === "ok" ? "ok" : "warning");
});

it("a host is not judged while the worker itself does not answer", () => {
  expect(judgeHost(HOST, true, OWN, new NoHttpResponse("ECONNREFUSED")).status).toBe("unknown");
});
