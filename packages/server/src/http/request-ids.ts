import { randomBytes } from 'node:crypto';

/** Makes ids that are unique across processes and cheap to make. */
export function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
