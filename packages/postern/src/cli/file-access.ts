// Reads and writes the files that a command line names. An unusable file is a usage error, and a
// sentence explains it (docs/command-line.md §Exit codes).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { wrongUsage } from "./exit-codes.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "it is not a folder, or lies below a file",
  EEXIST: "it is not a folder",
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "symbolic links form a loop",
};

export function readBytes(path: string): Buffer {
  return explained(path, "read", () => readFileSync(path));
}

export function readText(path: string): string {
  return readBytes(path).toString("utf8");
}

/** Throws a CommandFailure if the file can't be read or is not JSON. */
export function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`${path} can't be read: it is not JSON (${(error as Error).message})`);
  }
}

export function readFolder(path: string): readonly string[] {
  return explained(path, "read", () => readdirSync(path));
}

export function writeText(path: string, text: string): void {
  explained(path, "written", () => writeFileSync(path, text));
}

export function makeFolder(path: string): void {
  explained(path, "made", () => mkdirSync(path, { recursive: true }));
}

function explained<Result>(path: string, what: string, access: () => Result): Result {
  try {
    return access();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isInFolder = code === "ENOENT" && what === "written";
    const reason = isInFolder ? "the folder does not exist" : REASONS[code ?? ""];
    throw wrongUsage(`${path} can't be ${what}: ${reason ?? message}`);
  }
}
