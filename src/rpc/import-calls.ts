// The calls of the object that imports a team's suppression files (contract.md §Imports), with
// their arguments and results.

/** A column of the file. */
export type Column = "email" | "topic" | "note";

/** Why a row was not imported. */
export interface RowError {
  /** The record's number, from 1. */
  readonly row: number;
  readonly field: Column | "row";
  readonly message: string;
}

/** The places of the columns in a record; -1 for a column that the file lacks. */
export interface ColumnLayout {
  readonly width: number;
  readonly column: Readonly<Record<Column, number>>;
}

/** The position from which an import continues. */
export interface ImportPosition {
  /** The byte of the file at which a record begins. */
  readonly byte: number;
  /** The record's number, from 1, as a spreadsheet counts. */
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
  readonly errors: RowError[];
}

/** One team's imports. */
export interface SuppressionImporter {
  /**
   * Begins an import, which is on disk when this resolves. False: SUPPRESSION_IMPORTS are running
   * already, and this one was not begun. `now` in Unix milliseconds.
   */
  begin(file: ImportedFile, now: number): Promise<boolean>;
  /** Returns null for an import that is unknown or was deleted. */
  find(id: string): ImportProgress | null;
  /** Tells whether the import is still running. Sets its alarm again if that was lost. */
  restoreAlarm(id: string): Promise<boolean>;
  /** Ends and deletes all imports, because the team is deleted. */
  forget(): Promise<void>;
}
