import { recordLimits } from '@watchword/protocol';
import { type Kind, text, texts } from '../schema/kinds.ts';
import { optional, required } from '../schema/record-schema.ts';

/** An id that the server counts up and never gives again. */
export const idKind: Kind<undefined> = {
  schema: { type: 'integer', minimum: 1 },
  expected: 'nothing',
  read: () => undefined,
  empty: undefined,
};

/** A moment: epoch milliseconds. */
export const momentSchema = { type: 'integer', minimum: 0 } as const;

export const nameKind = text({ minLength: 1, maxLength: recordLimits.nameLength });

export const scopesKind = texts(
  { uniqueItems: true, maxItems: recordLimits.scopes },
  { maxLength: recordLimits.nameLength, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' },
);

/** What resource servers and clients tell people about themselves. */
export const descriptiveFields = {
  description: optional(text({ maxLength: recordLimits.textLength }), 'What it is for.'),
  contactName: required(nameKind, 'Whom to ask about it.'),
  contactEmail: optional(
    text({ maxLength: recordLimits.nameLength }),
    'Where to ask about it: an e-mail address, or empty.',
  ),
  thumbNailUrl: optional(
    text({ maxLength: recordLimits.textLength }),
    'An http(s) URL of its picture, or empty. The server never fetches it.',
  ),
};
