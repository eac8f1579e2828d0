import type { WholeNumberKind } from '@watchword/protocol';
import type { AdminRequest } from '../route.ts';
import { readRecord, refuseMalformed } from '../schema/read-record.ts';
import { inputSchema, optional } from '../schema/record-schema.ts';

/** Thirty days. */
const maxOverlap = 2_592_000;

const overlapKind = {
  type: 'wholeNumber',
  minimum: 0,
  maximum: maxOverlap,
} as const satisfies WholeNumberKind;

const rotationSchema = {
  description: 'How a secret is replaced.',
  fields: {
    overlap: optional(
      overlapKind,
      'Seconds for which the old secret is valid too; 0, as when absent: it ends at once.',
    ),
  },
};

export const overlapSchema = inputSchema(rotationSchema);

/** Seconds; 0 without a body. @throws OAuthError `invalid_request` */
export async function overlapOf({ body }: AdminRequest): Promise<number> {
  const submitted = body();
  if (submitted === undefined) return 0;
  const { whole, malformed } = await readRecord(rotationSchema, submitted);
  refuseMalformed(malformed);
  return whole.overlap;
}
