import { UsageError } from './usage-error.ts';

/** @param revoke whether another party had the old secret @param overlap seconds for which it stays valid @throws UsageError */
export function checkOverlap(revoke: boolean, overlap: number): void {
  if (!revoke || overlap === 0) return;
  throw new UsageError(
    '--revoke and --overlap: expected only one of them: the old secret must not stay valid',
  );
}
