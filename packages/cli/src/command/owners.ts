import { printable } from '@watchword/server/runtime/log/printable';
import { dialectOf, filesOf, ownerAdvice } from '@watchword/store-sql';
import type { Io } from './io.ts';

/** Warns if a command has left files that a server of another user cannot use. @param database a file, or a URL, which has none */
export function warnOfOwner({ stderr }: Pick<Io, 'stderr'>, database: string): void {
  if (dialectOf(database) !== 'sqlite') return;
  const advice = ownerAdvice(filesOf(database));
  if (advice !== undefined) stderr.write(`warning: ${printable(advice)}\n`);
}
