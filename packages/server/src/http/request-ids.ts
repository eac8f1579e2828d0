import { randomBytes } from 'node:crypto';

/** Ids that differ between processes and are cheap to make. */
export function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
