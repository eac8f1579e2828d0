import { describe, it, type SuiteFn, type TestFn, type TestOptions } from 'node:test';

interface Registering<Body> {
  (name: string, body: Body): unknown;
  (name: string, options: TestOptions, body: Body): unknown;
}

/** Set by the runner for `npm test`, and not where files are named. */
const isLeftOut = process.env.TEST_SLOW === 'none';

const leaveOut = () => {};

/** As `it`, for a test that `npm test` leaves out as it does slow files: a cheaper test there would fail for the same reason. */
export const slowTest: Registering<TestFn> = isLeftOut ? leaveOut : it;

/** As `describe`, for tests that `npm test` leaves out, with what they start. */
export const slowSuite: Registering<SuiteFn> = isLeftOut ? leaveOut : describe;
