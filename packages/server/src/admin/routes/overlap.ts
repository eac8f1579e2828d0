import { OAuthError } from '@watchword/protocol';
import type { AdminRequest } from '../route.ts';
import { wholeNumber } from '../schema/kinds.ts';
import { readRecord } from '../schema/read-record.ts';
import { inputSchema, optional, type RecordSchema } from '../schema/record-schema.ts';

const maxOverlap = 2_592_000;

const rotationSchema = {
  name: 'Rotation',
  description: 'How a secret is replaced.',
  fields: {
    overlap: optional(
      wholeNumber(0, maxOverlap),
      'Seconds for which the old secret counts too; 0, as when absent: it ends at once.',
    ),
  },
} as const satisfies RecordSchema;

export const overlapSchema = inputSchema(rotationSchema);

/** Seconds; 0 without a body. @throws OAuthError `invalid_request` */
export function overlapOf({ body }: AdminRequest): number {
  const given = body();
  if (given === undefined) return 0;
  const { values, malformed } = readRecord(rotationSchema, given, true);
  if (malformed.length === 0) return values.overlap ?? 0;
  throw new OAuthError('invalid_request', {
    violations: malformed.map(({ field, problem }) => `${field}: ${problem}`),
  });
}
