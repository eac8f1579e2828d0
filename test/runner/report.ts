import { styleText } from 'node:util';
import type { Failure } from './file-result.ts';
import type { ProgramResult } from './program-beside.ts';
import type { PrintedResult } from './test-process.ts';

/** Prints a line for each file or program and every failure in full, then the names of failed tests and the numbers. */
export class Report {
  readonly #write: (text: string) => void;
  readonly #started = performance.now();
  readonly #failed: string[] = [];
  readonly #failedPrograms: string[] = [];
  #files = 0;
  #passed = 0;
  #skipped = 0;
  #processor = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(result: PrintedResult): void {
    const { file, passed, skipped, reasons, failures, output, milliseconds, processor } = result;
    this.#files += 1;
    this.#passed += passed;
    this.#skipped += skipped;
    this.#processor += processor;
    const numbers = `${numberOf(passed + failures.length + skipped, 'test')}, ${seconds(milliseconds)}, ${processorTime(processor)}`;
    this.#line(failures.length === 0, `${file} (${numbers})`);
    for (const reason of new Set(reasons)) this.#write(indented(`skipped: ${reason}`));
    if (output !== '') this.#write(indented(output.trimEnd()));
    for (const failure of failures) {
      const name = nameOf(file, failure);
      this.#failed.push(name);
      this.#line(false, name);
      this.#write(indented(failure.error));
    }
  }

  addProgram({ file, isPassed, output, milliseconds }: ProgramResult): void {
    this.#line(isPassed, `${file} (${seconds(milliseconds)})`);
    if (output !== '') this.#write(indented(output.trimEnd()));
    if (!isPassed) this.#failedPrograms.push(file);
  }

  /** Returns `true` when all tests have passed. */
  close(): boolean {
    this.#write('');
    const failed = [...this.#failed, ...this.#failedPrograms];
    for (const name of failed) this.#line(false, name);
    if (this.#failed.length > 0) this.#write('One file alone: npx node --conditions=source --test FILE');
    const time = seconds(performance.now() - this.#started);
    this.#write(`${numberOf(this.#files, 'file')} in ${time}, ${processorTime(this.#processor)}`);
    const isPassed = failed.length === 0 && this.#passed > 0;
    this.#write(`${this.#passed} passed, ${failed.length} failed, ${this.#skipped} skipped`);
    return isPassed;
  }

  #line(isPassed: boolean, text: string): void {
    this.#write(`${isPassed ? styleText('green', '✔') : styleText('red', '✖')} ${text}`);
  }
}

function nameOf(file: string, { path }: Failure): string {
  return [file, ...path].join(' › ');
}

function numberOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** How dear a file is, whatever else the machine does meanwhile. */
function processorTime(value: number): string {
  return `processor ${seconds(1000 * value)}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ');
}
