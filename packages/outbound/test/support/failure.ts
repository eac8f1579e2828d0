import assert from 'node:assert/strict';
import { OutboundError, type OutboundErrorKind } from '@watchword/outbound';

/** Asserts that the work fails with an OutboundError of this kind and with these words. */
export async function assertFails(
  work: Promise<unknown>,
  kind: OutboundErrorKind,
  words: RegExp,
): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OutboundError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, words);
    return true;
  });
}
