import type { AccountFields } from '@watchword/admin-client';

const texts = [
  'displayName',
  'email',
  'givenName',
  'familyName',
  'nickname',
  'picture',
  'locale',
  'zoneinfo',
  'phoneNumber',
] as const satisfies readonly (keyof AccountFields)[];

/** The fields of an account as they are typed. */
export interface TypedAccount extends Omit<AccountFields, 'groups' | 'roles' | 'disabled'> {
  /** Separated by commas. */
  readonly groups: string;
  readonly roles: string;
}

export const emptyAccount: TypedAccount = {
  ...textsOf(() => ''),
  emailVerified: false,
  phoneNumberVerified: false,
  address: {},
  groups: '',
  roles: '',
  adminPrincipal: false,
};

/** Fields of which the server can find something wrong. */
export const checkedFields = [
  ...texts,
  'emailVerified',
  'phoneNumberVerified',
  'address',
  'groups',
  'roles',
] as const;

export function typedAccount(account: AccountFields): TypedAccount {
  const { emailVerified, phoneNumberVerified, address, groups, roles, adminPrincipal } = account;
  return {
    ...textsOf((name) => account[name]),
    emailVerified,
    phoneNumberVerified,
    address,
    groups: groups.join(', '),
    roles: roles.join(', '),
    adminPrincipal,
  };
}

/** The fields to send. An empty part of the address is removed. */
export function fieldsOf(typed: TypedAccount) {
  const { groups, roles, ...fields } = typed;
  return {
    ...fields,
    ...textsOf((name) => typed[name].trim()),
    groups: members(groups),
    roles: members(roles),
  };
}

function textsOf(textOf: (name: (typeof texts)[number]) => string) {
  return Object.fromEntries(texts.map((name) => [name, textOf(name)])) as Record<
    (typeof texts)[number],
    string
  >;
}

/** What was typed, separated by commas. */
export function members(text: string): string[] {
  return text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

/** Of the inputs of an account. */
export interface AccountFieldsProps {
  readonly typed: TypedAccount;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (typed: TypedAccount) => void;
}
