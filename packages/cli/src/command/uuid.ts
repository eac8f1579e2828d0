import { UsageError } from './usage-error.ts';

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an id. @param expected completes the sentence "expected …" of its usage error */
export function uuid(expected: string): (given: string) => string {
  return (given) => {
    if (pattern.test(given)) return given;
    throw new UsageError(`expected ${expected}`);
  };
}
