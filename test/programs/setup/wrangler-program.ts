// The fake wrangler as a program, which set-up starts in place of wrangler. It keeps its account in
// the file FAKE_ACCOUNT.
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { type Account, FakeWrangler } from "../../setup/fake-wrangler.ts";

const path = process.env["FAKE_ACCOUNT"] ?? "";
const argv = process.argv.slice(2);
const wrangler = new FakeWrangler(JSON.parse(readFileSync(path, "utf8")) as Account);
const stdin = argv[0] === "secret" && argv[1] === "bulk" ? await text(process.stdin) : "";
const ran = await wrangler.run(argv, stdin, process.env, "");
writeFileSync(path, JSON.stringify(wrangler.account));
process.stdout.write(ran.stdout);
process.stderr.write(ran.stderr);
process.exitCode = ran.code;
