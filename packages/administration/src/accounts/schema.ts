import { accountClaimFields, type FlagKind, type TextKind, type TextsKind } from '@watchword/protocol';
import { timestampSchema } from '../schema/json-schema.ts';
import { issued, optional, readOnly, required, schemaOfTable } from '../schema/record-schema.ts';

const name = { type: 'text', minLength: 1 } as const satisfies TextKind;
const labels = { type: 'texts' } as const satisfies TextsKind;
const flag = { type: 'flag' } as const satisfies FlagKind;

const text = { type: 'string' } as const;

const usernameText = 'The name with which the user logs in. It is compared character by character.';
const displayNameText = 'The name that pages show.';
const rolesText = 'Roles of the principal, for resource servers.';
const groupsText = 'Groups of the principal, for resource servers.';
const administratorText = 'Whether the user is an administrator, who sees and changes every record.';

const { fields: claims } = schemaOfTable('', accountClaimFields);

/** The fields that the server sets, in the order of the answer. */
const setByServer = {
  id: readOnly(text, 'Id of the account. An account that is created again has another one.'),
  hasPassword: readOnly(
    { type: 'boolean' },
    'Whether the user has set a password. Without one the user logs in with a passkey, or at another identity provider.',
  ),
  resetLinkExpires: readOnly(
    { type: ['integer', 'null'], minimum: 0 },
    'When the last reset link expires, in epoch milliseconds; null when it was redeemed or ended.',
  ),
  subject: readOnly(text, 'Identifies the user: sub of introspection. No other user ever has it.'),
  creationDate: readOnly(timestampSchema, 'When the account was created, in epoch milliseconds.'),
  lastLogin: issued(
    { type: ['integer', 'null'], minimum: 0 },
    'When the user last logged in, in epoch milliseconds; null if that was not in the last 31 days, or is no longer in the audit log. Only in a list that asks for it.',
  ),
  resetLink: issued(
    text,
    'The address at which the user sets a password, or adds a passkey, once and within an hour. Only this answer contains it.',
  ),
  ended: issued(
    { $ref: '#/components/schemas/OwnerRevocation' },
    'What ended with this change: login sessions, and grants with all their tokens.',
  ),
};

/** An existing account. Its password is not a field: users set it themselves. */
export const accountSchema = {
  description: 'A local account, with which a user logs in by username and password, or by passkey.',
  fields: {
    username: readOnly(text, usernameText),
    displayName: required(name, displayNameText),
    ...claims,
    roles: required(labels, rolesText),
    groups: required(labels, groupsText),
    adminPrincipal: required(flag, administratorText),
    disabled: required(flag, 'Whether no login is possible.'),
    ...setByServer,
  },
};

/** A new account. */
export const newAccountSchema = {
  description:
    'A new local account. Its user sets the password, or adds the passkey, with the reset link in the answer.',
  fields: {
    username: required(name, usernameText),
    displayName: optional(name, `${displayNameText} Default: the username.`),
    ...claims,
    roles: optional(labels, rolesText),
    groups: optional(labels, groupsText),
    adminPrincipal: optional(flag, administratorText),
    disabled: readOnly({ type: 'boolean' }, 'A new account is not disabled.'),
    passkey: optional(flag, 'Whether the user adds a passkey with the reset link, and has no password.'),
    ...setByServer,
  },
};
