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

/** Where the columns stand in a record; -1: the file has no such column. */
export interface Layout {
  readonly width: number;
  readonly column: Readonly<Record<Column, number>>;
}

/** Where an import goes on. */
export interface ImportPosition {
  /** Of the file, where a record begins. */
  readonly byte: number;
  /** The record's number, from 1, as a spreadsheet counts. */
  readonly row: number;
}

/** A file that was stored, and where its rows begin. */
export interface ImportedFile {
  /** `imp_<uuid>`. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly layout: Layout;
  readonly place: ImportPosition;
}

/** How far an import has come; `SuppressionImport` in resources/suppressions/wire.ts shows it. */
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
   * Begins an import, which is on disk when this resolves. False: SUPPRESSION_IMPORTS are under way
   * already, and nothing was begun. `now` in Unix milliseconds.
   */
  begin(file: ImportedFile, now: number): Promise<boolean>;
  /** null: the team has no such import, or no longer. */
  find(id: string): ImportProgress | null;
  /** Whether the import is under way. Sets its alarm again if that was lost. */
  restoreAlarm(id: string): Promise<boolean>;
  /** Ends and deletes all imports, because the team is deleted. */
  forget(): Promise<void>;
}
