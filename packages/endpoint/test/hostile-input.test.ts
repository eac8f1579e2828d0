import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndpointError } from '@watchword/endpoint';
import { rounds } from '@watchword/testkit';
import {
  HOSTILE_INPUTS,
  HOSTILE_LENGTH,
  HOSTILE_PATTERNS,
  hostileText,
} from '@watchword/testkit/hostile-inputs';

const length = rounds(12_000, HOSTILE_LENGTH);

// How long these take is for `npm run bench -- endpoint --hostile` to say; here it counts that there is an answer.
for (const [input, build] of Object.entries(HOSTILE_INPUTS)) {
  test(`${length} hostile characters as ${input} have an answer: a result or an EndpointError`, () => {
    for (const pattern of HOSTILE_PATTERNS) {
      try {
        assert.ok(build(hostileText(pattern, length)) !== undefined);
      } catch (error) {
        assert.ok(error instanceof EndpointError, `${pattern}: ${error}`);
      }
    }
  });
}
