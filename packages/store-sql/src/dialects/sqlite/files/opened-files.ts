import { statSync } from 'node:fs';
import { replacedError } from './sqlite-errors.ts';

/**
 * The files of a database at the time when it was opened. A file that was removed or replaced can still be written, but no
 * process will read it. So a commit to it must not be acknowledged.
 */
export class OpenedFiles {
  readonly #database: OpenedFile;
  readonly #log: OpenedFile;

  constructor(database: string) {
    this.#database = new OpenedFile(database);
    this.#log = new OpenedFile(`${database}-wal`);
  }

  /** Must be called between a commit and its answer. @throws Error if a name belongs to another file */
  verify(): void {
    this.#database.verify();
    this.#log.verify();
  }
}

/** The file behind a name at some time. */
export class OpenedFile {
  readonly #name: string;
  #device = 0;
  #inode = 0;

  constructor(name: string) {
    this.#name = name;
    this.#remember();
  }

  get isInPlace(): boolean {
    return this.is(this.#name);
  }

  /** Whether the name is one of this file. */
  is(name: string): boolean {
    const found = statSync(name, { throwIfNoEntry: false });
    return found?.ino === this.#inode && found.dev === this.#device;
  }

  verify(): void {
    if (this.isInPlace) return;
    // The first write makes the log.
    if (this.#inode === 0) this.#remember();
    else throw replacedError(this.#name);
  }

  #remember(): void {
    const found = statSync(this.#name, { throwIfNoEntry: false });
    this.#device = found?.dev ?? 0;
    this.#inode = found?.ino ?? 0;
  }
}
