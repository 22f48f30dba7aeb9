// `npm run doctor` without a named deployment: it examines the running local stack, using the file
// that lists its addresses.
import { afterEach, beforeEach, expect, it } from "vitest";
import { DoctorHarness } from "./doctor-harness.ts";

let harness: DoctorHarness;

beforeEach(async () => {
  harness = await DoctorHarness.start();
});

afterEach(async () => {
  await harness.close();
});

const examineHere = async (
  state: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
) => harness.examineBy(args, { POSTERN_STATE: state, ...environment });

it("the local stack is examined without any argument while it runs, trusting only its own certificate", async () => {
  const { code, text } = await examineHere(harness.localState());
  expect(text).not.toMatch(/^(?:warn|FAIL)/m);
  expect(text).toMatch(
    /^ok +worker\.health +http:\/\/127\.0\.0\.1:[^]*^ok +smtp\.tls [^]*^ok +message /m,
  );
  expect(code).toBe(0);
});

it("the local stack gives way to a named deployment, unless --local asks for it", async () => {
  const elsewhere = { PUBLIC_URL: "http://127.0.0.1:9" };
  expect((await examineHere(harness.localState(), ["--skip", "smtp"], elsewhere)).text).toMatch(
    /^FAIL +worker\.health +http:\/\/127\.0\.0\.1:9 /m,
  );
  expect((await examineHere(harness.localState(), ["--local"], elsewhere)).code).toBe(0);
});

it("the local stack is named as a choice when none runs", async () => {
  const { code, text } = await examineHere(harness.directory);
  expect([code, text]).toEqual([
    1,
    "doctor: which deployment? Nothing is set up here, and no local stack is running → run " +
      "npm start, or npm run setup, or give --url https://…\n",
  ]);
});
