// Tests how suppressions are imported and exported as CSV files, through the worker's fetch handler
// (src/resources/suppressions/{import,export}.ts).
import { describe, expect, it } from "vitest";
import { formatCsv, parseCsv } from "../../../src/lib/csv.ts";
import type { ErrorBody } from "../../support/api.ts";
import { bindings, busyTeam, call, errorsOf } from "../../support/api.ts";
import {
  importFile,
  importInto,
  listAll,
  putSuppression,
  suppress,
} from "../../support/suppressions.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

const HEADER =
  "email,topic,reason,origin,classification,smtp_code,note,suppressed_at,expires_at,created_at";

async function exportFrom(query = "", { key } = team): Promise<(readonly string[])[]> {
  const response = await call("GET", `/v1/suppressions/export${query}`, { key });
  expect(response.status).toBe(200);
  return [...parseCsv(await response.text())].map(({ fields }) => fields);
}

const stored = async (of = team) =>
  (await listAll(of, "limit=100"))
    .map(({ email, topic, note }) => [email, topic, note])
    .toSorted((left, right) => left.join().localeCompare(right.join()));

describe("an import", () => {
  it("stores each row as a POST would, and answers the number of rows", async () => {
    const csv =
      'Email , note,TOPIC,extra\r\n Ann@Example.org ,"said ""stop"", twice\r\nby ' +
      'phone",News,1\r\nbob@bücher.example,,,\r\ncid@example.org,, * ,x\r\n';
    const expected = { total: 3, imported: 3, skipped: 0, failed: 0, errors: [] };
    expect(await importInto(team, csv)).toEqual(expected);
    expect(await stored()).toEqual([
      ["ann@example.org", "news", 'said "stop", twice\r\nby phone'],
      ["bob@xn--bcher-kva.example", "*", null],
      ["cid@example.org", "*", null],
    ]);
    expect((await listAll(team, ""))[0]).toMatchObject({
      id: expect.stringMatching(/^sup_[0-9a-f-]{36}$/),
      reason: "manual",
      origin: "manual",
      classification: null,
      smtp_code: null,
      expires_at: null,
    });
  });

  it("skips suppressions already in force, its own repeats included, and replaces expired ones", async () => {
    expect((await suppress(team, { email: "a@example.org", note: "first" })).status).toBe(201);
    const kept = { email: "b@example.org", note: "kept", expires_at: Date.now() + 60_000 };
    await putSuppression(team, kept);
    await putSuppression(team, { email: "c@example.org", note: "over", expires_at: 1 });
    const csv =
      "email,topic,note\nA@example.org,,new\nb@example.org,*,new\nc@example.org,,new\nc@example.org,,newer\nc@example.org,news,\n";
    const expected = { total: 5, imported: 2, skipped: 3, failed: 0, errors: [] };
    expect(await importInto(team, csv)).toEqual(expected);
    const rows = [
      ["a@example.org", "*", "first"],
      ["b@example.org", "*", "kept"],
      ["c@example.org", "*", "new"],
      ["c@example.org", "news", null],
    ];
    expect(await stored()).toEqual(rows);
    const facts = { total: 5, imported: 0, skipped: 5, failed: 0 };
    expect(await importInto(team, csv)).toMatchObject(facts);
    expect(await stored()).toEqual(rows);
  });

  it("shows the first 1,000 errors and counts all", async () => {
    const { errors, ...counts } = await importInto(
      await busyTeam(),
      `a@example.org\n${"x\n".repeat(1_100)}`,
    );
    expect(counts).toEqual({ total: 1_101, imported: 1, skipped: 0, failed: 1_100 });
    expect(errors).toHaveLength(1_000);
    expect(errors.at(-1)?.row).toBe(1_001);
  });

  it("takes long notes in which every character needs an escape, in several slices", async () => {
    const note = "\u0001".repeat(1_000);
    const csv = `email,note\n${Array.from({ length: 300 }, (_, index) => `user${index}@example.org,${note}`).join("\n")}`;
    const expected = { total: 300, imported: 300, skipped: 0, failed: 0 };
    expect(await importInto(team, csv)).toMatchObject(expected);
    const wrong = await bindings.SHARD_0.prepare(
      "SELECT count(*) AS n FROM suppressions WHERE team_id = ? AND length(note) <> 1000",
    )
      .bind(team.id)
      .first("n");
    expect(wrong).toBe(0);
  });

  it("stores a row once, however many imports bring it at once", async () => {
    const csv = Array.from({ length: 300 }, (_, index) => `user${index}@example.org`).join("\n");
    const results = await Promise.all(Array.from({ length: 4 }, () => importInto(team, csv)));
    expect(results.reduce((sum, { imported }) => sum + imported, 0)).toBe(300);
    expect(results.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(900);
    expect(await stored()).toHaveLength(300);
  });

  it("refuses a file that it can't read, and stores nothing", async () => {
    const files: [string, BodyInit, number][] = [
      ["several columns that nothing names", "a@example.org,news\n", 422],
      ["no file", "", 422],
      ["a file of blank lines", "\n\r\n , \n", 422],
      ["several columns of addresses without `email`", "to,by\na@x.org,b@x.org\n", 422],
      ["rows without an address", "E-Mail,note\nann,x\nbob,y\n", 422],
      ["an unknown separator", "email:note\na@example.org:x\n", 422],
      ["a header that names a column twice", "email,Email\na@example.org,b@example.org\n", 422],
      ["bytes that are no UTF-8", new Uint8Array([0x61, 0xff, 0x62]), 400],
      ["UTF-16", new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 400],
    ];
    for (const [name, raw, status] of files) {
      const response = await importFile(team, raw);
      const { error } = await response.json<ErrorBody>();
      expect([name, response.status, Object.keys(error.errors ?? {})]).toEqual([
        name,
        status,
        ["body"],
      ]);
    }
    expect(await stored()).toEqual([]);
  });

  it("takes text/csv with parameters, in any case of its letters", async () => {
    for (const type of ["text/csv; charset=utf-8", "TEXT/CSV;header=absent"])
      expect((await importFile(team, "a@example.org", type)).status).toBe(202);
  });
});

describe("an export", () => {
  it("is a CSV file of the suppressions in force, newest first", async () => {
    const until = Date.UTC(2100, 0);
    await putSuppression(team, {
      email: "a@example.org",
      classification: "InvalidRecipient",
      smtp_code: 550,
      created_at: 2_000,
      expires_at: until,
    });
    await putSuppression(team, {
      email: '"x,y"@example.org',
      topic: "news",
      reason: "manual",
      origin: "manual",
      note: '=1+1, "so"\r\nit goes',
      created_at: 3_000,
    });
    await putSuppression(team, { email: "over@example.org", created_at: 4_000, expires_at: 1 });
    await putSuppression(await busyTeam(), { email: "foreign@example.org" });
    const response = await team.get("/v1/suppressions/export");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="suppressions.csv"',
    );
    expect(response.headers.has("X-Request-Id")).toBe(true);
    expect(response.headers.has("RateLimit-Remaining")).toBe(true);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toBe(
      `${HEADER}\r\n` +
        `"""x,y""@example.org",news,manual,manual,,,"'=1+1, ""so""\r\nit ` +
        `goes",1970-01-01T00:00:00.001Z,,1970-01-01T00:00:03.000Z\r\n` +
        `a@example.org,*,permanent_bounce,auto,InvalidRecipient,550,,1970-01-01T00:00:00.001Z,2100-01-01T00:00:00.000Z,1970-01-01T00:00:02.000Z\r\n`,
    );
  });

  it("has every row once, even if many were made at one instant, and can be imported by another team", async () => {
    const other = await busyTeam();
    const csv = `email,topic,note\n${Array.from({ length: 1_050 }, (_, index) => `user${index}@example.org,t${index % 7},"n ""${index}"""`).join("\n")}`;
    await importInto(team, csv);
    const [header, ...rows] = await exportFrom();
    expect(header?.join(",")).toBe(HEADER);
    expect(rows).toHaveLength(1_050);
    const keys = (list: (readonly string[])[]) =>
      list.map((row) => [row[0], row[1], row[6]].join()).toSorted();
    expect(new Set(keys(rows)).size).toBe(1_050);
    const file = await (await team.get("/v1/suppressions/export")).text();
    const copied = await importInto(other, file);
    expect(copied).toMatchObject({ total: 1_050, imported: 1_050, skipped: 0, failed: 0 });
    expect(keys((await exportFrom("", other)).slice(1))).toEqual(keys(rows));
  });

  it("marks formulas, and an import removes the marks; a plain export has no marks", async () => {
    const other = await busyTeam();
    const locals = ["=1+1", "+a", "-a", "'a", "'=a", "''+a", "a=b"];
    const notes = ["=HYPERLINK(1)", "'=a", "'kept", "\t=1", "\r1", "-", "@a"];
    for (const [index, local] of locals.entries())
      await suppress(team, { email: `${local}@example.org`, note: notes[index] ?? null });
    const marked = await exportFrom();
    for (const cell of marked.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const file = marked.map((fields) => formatCsv(fields, "plain")).join("");
    expect(await importInto(other, file)).toMatchObject({ imported: locals.length, failed: 0 });
    expect(await stored(other)).toEqual(await stored());
    const forPrograms = await (await team.get("/v1/suppressions/export?format=plain")).bytes();
    expect(forPrograms[0]).toBe("e".charCodeAt(0));
    const plain = (await exportFrom("?format=plain")).slice(1).map(([email = ""]) => email);
    expect(plain.toSorted()).toEqual(locals.map((local) => `${local}@example.org`).toSorted());
    for (const format of ["", "marked", "csv"]) {
      const path = `/v1/suppressions/export?format=${format}`;
      expect(await errorsOf(team.get(path))).toHaveProperty("format");
    }
  });

  it("obeys the list's filters, and has only its header if no row matches", async () => {
    await importInto(team, "email,topic\na@example.org,news\nb@example.org,\n");
    const expected = ["email", "a@example.org"];
    expect((await exportFrom("?topic=news")).map(([email]) => email)).toEqual(expected);
    expect(await exportFrom("?reason=complaint")).toEqual([HEADER.split(",")]);
    expect((await team.get("/v1/suppressions/export?reason=x")).status).toBe(422);
  });
});
