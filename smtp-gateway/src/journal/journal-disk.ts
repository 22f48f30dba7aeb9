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

export type Disk = typeof NODE_DISK;

/** Each method throws the file system's error. Positions and lengths are in bytes. */
export const NODE_DISK = {
  makeDirectory: (path: string): void => void mkdirSync(path, { recursive: true }),
  list: (directory: string): string[] => readdirSync(directory),
  /** Opens a file for reading and writing at any position. Creates the file if it is missing. */
  open: (path: string): number => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600),
  size: (file: number): number => fstatSync(file).size,
  read: (file: number, into: Buffer, at: number): number =>
    readSync(file, into, 0, into.length, at),
  /** Returns the number of written bytes, which may be smaller than the length of `bytes`. */
  write: (file: number, bytes: Buffer, at: number): number =>
    writeSync(file, bytes, 0, bytes.length, at),
  truncate: (file: number, size: number): void => ftruncateSync(file, size),
  close: (file: number): void => closeSync(file),
  remove: (path: string): void => unlinkSync(path),
};
