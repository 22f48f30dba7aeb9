// `npm run doctor` without a deployment that is named: it examines the local stack that runs, by
// the file that says where everything is.
import { afterEach, beforeEach, expect, it } from "vitest";
import { DoctorStand } from "./doctor-stand.ts";

let stand: DoctorStand;

beforeEach(async () => {
  stand = await DoctorStand.start();
});

afterEach(async () => {
  await stand.close();
});

const examineHere = async (
  state: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
) => stand.examineBy(args, { POSTERN_STATE: state, ...environment });

it("the local stack is examined without any argument while it runs, with the one certificate that it made", async () => {
  const { code, text } = await examineHere(stand.localState());
  expect(text).not.toMatch(/^(?:warn|FAIL)/m);
  expect(text).toMatch(
    /^ok +worker\.health +http:\/\/127\.0\.0\.1:[^]*^ok +smtp\.tls [^]*^ok +message /m,
  );
  expect(code).toBe(0);
});

it("the local stack gives way to a deployment that is named, unless it is asked for", async () => {
  const elsewhere = { PUBLIC_URL: "http://127.0.0.1:9" };
  expect((await examineHere(stand.localState(), ["--skip", "smtp"], elsewhere)).text).toMatch(
    /^FAIL +worker\.health +http:\/\/127\.0\.0\.1:9 /m,
  );
  expect((await examineHere(stand.localState(), ["--local"], elsewhere)).code).toBe(0);
});

it("the local stack is named as a choice where none runs", async () => {
  const { code, text } = await examineHere(stand.directory);
  expect([code, text]).toEqual([
    1,
    "doctor: which deployment? Nothing is set up here, and no local stack runs → run npm start, or npm run setup, or say --url https://…\n",
  ]);
});
