import type { WholeNumberKind } from '@watchword/protocol';
import type { AdminRequest } from '../route.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, optional } from '../schema/record-schema.ts';

/** Thirty days. */
const maxOverlap = 2_592_000;

export const overlapKind = {
  type: 'wholeNumber',
  minimum: 0,
  maximum: maxOverlap,
} as const satisfies WholeNumberKind;

const rotationSchema = {
  description: 'The replacement of a secret.',
  fields: {
    overlap: optional(
      overlapKind,
      'Seconds for which the old secret stays valid. Default 0: the old secret is immediately invalid.',
    ),
  },
};

export const overlapSchema = inputSchema(rotationSchema);

/** Seconds; 0 without a body. @throws OAuthError `invalid_request` */
export async function overlapOf({ body }: AdminRequest): Promise<number> {
  const submitted = body();
  if (submitted === undefined) return 0;
  const { whole, malformed } = await readRecord(rotationSchema, submitted);
  rejectMalformed(malformed);
  return whole.overlap;
}
