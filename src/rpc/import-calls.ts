// The calls of the Durable Object that imports a team's suppression files (contract.md §Imports),
// with their arguments and results.

import type { AuditEntry } from "../audit.ts";

/** A column of an imported file. */
export type Column = "email" | "topic" | "note";

/** Why a row was not imported. */
export interface ImportRowError {
  /** The number of the record in the file, counted from 1. */
  readonly row: number;
  readonly field: Column | "row";
  readonly message: string;
}

/** The index of each column in a record. -1: the file does not have the column. */
export interface ColumnLayout {
  readonly width: number;
  /** The character between two fields. Absent: a comma. */
  readonly separator?: string;
  readonly column: Readonly<Record<Column, number>>;
}

/** The position in the file at which an import continues. */
export interface ImportPosition {
  /** The offset in bytes at which a record begins. */
  readonly byte: number;
  /** The record's number in the file, counted from 1 as in a spreadsheet. */
  readonly row: number;
}

/** A stored file, and the position of its first row. */
export interface ImportedFile {
  /** `imp_<uuid>`. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly layout: ColumnLayout;
  readonly place: ImportPosition;
}

/** The progress of an import; `SuppressionImport` in resources/suppressions/wire.ts renders it. */
interface ImportProgress {
  readonly id: string;
  readonly status: "running" | "done" | "failed";
  /** Rows. */
  readonly total: number;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly errors: ImportRowError[];
}

/** One team's imports. */
export interface SuppressionImporter {
  /**
   * Begins an import, and stores it durably. Begins nothing and returns false if
   * SUPPRESSION_IMPORTS imports are already running. `now` is in Unix milliseconds. `entry` is the
   * import's entry in the audit trail.
   */
  begin(file: ImportedFile, now: number, entry?: AuditEntry | null): Promise<boolean>;
  /** Returns null for an import that is unknown or was deleted. */
  find(id: string): ImportProgress | null;
  /** Returns whether the import is still running. Sets the import's alarm if the alarm was lost. */
  restoreAlarm(id: string): Promise<boolean>;
  /** Stops and deletes all imports of a team that is being deleted. */
  forget(): Promise<void>;
}
