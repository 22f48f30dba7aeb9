// Lists the file system calls of the journal. Tests replace these calls by simulated disks: a full
// disk, a broken disk, and a disk that counts its bytes.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";

/** Each method throws the file system's error. Positions and lengths are in bytes. */
export interface Disk {
  readonly makeDirectory: (path: string) => void;
  readonly list: (directory: string) => string[];
  /** Opens a file for reading and writing at any position. Creates the file if it is missing. */
  readonly open: (path: string) => number;
  readonly size: (file: number) => number;
  readonly read: (file: number, into: Buffer, at: number) => number;
  /**
   * Writes bytes. Returns the number of written bytes, which may be smaller than the length of
   * `bytes`.
   */
  readonly write: (file: number, bytes: Buffer, at: number) => number;
  readonly truncate: (file: number, size: number) => void;
  readonly close: (file: number) => void;
  readonly remove: (path: string) => void;
}

export const NODE_DISK: Disk = {
  makeDirectory: (path) => void mkdirSync(path, { recursive: true }),
  list: (directory) => readdirSync(directory),
  open: (path) => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600),
  size: (file) => fstatSync(file).size,
  read: (file, into, at) => readSync(file, into, 0, into.length, at),
  write: (file, bytes, at) => writeSync(file, bytes, 0, bytes.length, at),
  truncate: (file, size) => ftruncateSync(file, size),
  close: (file) => closeSync(file),
  remove: (path) => unlinkSync(path),
};
