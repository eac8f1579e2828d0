import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Mutant, mutate } from './mutants.ts';

export interface FileMutant extends Mutant {
  readonly file: string;
}

export interface MutatedFile {
  readonly file: string;
  /** The source with all of its mutants. */
  readonly code: string;
  readonly mutants: readonly FileMutant[];
}

/** @param files paths of source files */
export function mutatedFiles(files: readonly string[]): MutatedFile[] {
  let nextId = 0;
  return files.map((file) => {
    const { code, mutants } = mutate(readFileSync(file, 'utf8'), nextId);
    nextId += mutants.length;
    return { file, code, mutants: mutants.map((mutant) => ({ ...mutant, file })) };
  });
}

/**
 * Draws mutants at random, each as likely as any other. The same seed draws the same ones, also when another file has changed.
 *
 * @param size the number to draw; all if there are fewer
 */
export function drawn(files: readonly MutatedFile[], size: number, seed: string): FileMutant[] {
  const numbered = files.flatMap(({ file, mutants }) =>
    mutants.map((mutant, index) => ({ mutant, lot: lotOf(`${seed} ${file} ${index}`) })),
  );
  return numbered
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

function lotOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
