import type {
  AccessTokenFields,
  AccountFields,
  AuditEvent,
  Authenticator,
  ClientFields,
  ClientSecret,
  InitialToken,
  Invitation,
  ResourceServerFields,
  SigningKey,
  SubmittedScope,
} from './records.ts';

/** The fields of a merge patch (RFC 7396): in an object, `null` removes a member. */
export type ClientChange = {
  readonly [Name in keyof ClientFields]: ClientFields[Name] extends Readonly<Record<string, string>>
    ? Readonly<Record<string, string | null>>
    : ClientFields[Name];
};

/** A client to register. */
export type NewClient = Partial<ClientFields> & {
  /** Its client_id, which never changes. Default: made from the name. */
  readonly clientId?: string | undefined;
};

/** The fields that a request sets. A scope that is named alone keeps its description; an object replaces it. */
export interface SubmittedResourceServer extends Omit<ResourceServerFields, 'scopes'> {
  readonly scopes: readonly (string | SubmittedScope)[];
}

/** A resource server to register. */
export type NewResourceServer = Partial<SubmittedResourceServer> & {
  /** Its key, which never changes. Default: made from the name. */
  readonly key?: string | undefined;
};

/** The fields of a new access token. */
export interface AccessTokenRequest extends Partial<AccessTokenFields> {
  /** The client that it is issued to. */
  readonly clientId: string;
}

/** The fields of a new account. */
export interface NewAccount extends Partial<Omit<AccountFields, 'disabled'>> {
  readonly username: string;
  /** The user adds a passkey with the reset link, and has no password. */
  readonly passkey?: boolean;
}

/** Accounts of one request, all or none of which are created. */
export interface SubmittedAccounts {
  readonly accounts: readonly (Omit<NewAccount, 'passkey'> & { readonly disabled?: boolean })[];
  /** Only report what the import would do. */
  readonly dryRun?: boolean;
}

/** The fields of a new invitation. */
export interface NewInvitation
  extends Partial<Pick<Invitation, 'email' | 'locale' | 'groups' | 'roles' | 'passkey' | 'note'>> {
  /** Seconds for which the link is valid, at most 90 days. Default, and 0: 7 days. */
  readonly lifetime?: number;
}

/** One person. The names are given together: the same name at another identity provider is another person. */
export interface PersonSelection {
  /** Principal name. */
  readonly resourceOwnerId?: string | undefined;
  readonly identityProvider?: string | undefined;
}

export type AuditedRecordType = AuditEvent['recordType'];

/** A key that another program has made. Either `privateKey` or `kmsKey` is required. */
export interface ForeignSigningKey {
  /** PEM without a passphrase, or a JSON Web Key in JSON. */
  readonly privateKey?: string;
  /** Its name in the key management system. */
  readonly kmsKey?: string;
  /** Required for RSA, unless the JSON Web Key names it, and for `kmsKey`. */
  readonly algorithm?: SigningKey['algorithm'];
  /** Default: that of the JSON Web Key, or a new one. */
  readonly kid?: string;
  /** Whether it signs at once, because clients know it already. */
  readonly now?: boolean;
}

export interface SigningKeyRotation {
  /** Default: each algorithm that signs. */
  readonly algorithm?: SigningKey['algorithm'];
  /** Whether the next key signs at once, before all caches know it. */
  readonly now?: boolean;
}

export interface SigningKeyRetirement {
  readonly kid: string;
  /** Whether another party can have the private half: then every token that the key signed is refused at once. */
  readonly compromised?: boolean;
}

/** The settings of an identity provider, which are those of its kind. */
export type AuthenticatorSettings = NonNullable<Authenticator['settings']>;

/** An identity provider to set up. */
export interface NewAuthenticator {
  /** It never changes, and no other one can ever have it. */
  readonly name: string;
  readonly kind: string;
  /** Default: the name. */
  readonly label?: string;
  /** Default: true. */
  readonly enabled?: boolean;
  readonly settings?: AuthenticatorSettings;
}

/** What changes. A setting that is left out stays. */
export interface AuthenticatorChange {
  readonly label?: string;
  readonly enabled?: boolean;
  readonly settings?: AuthenticatorSettings;
}

/** What is decided about the hosts of clients. */
export interface SubmittedClientHost {
  readonly effect: 'allow' | 'block';
  /** Why, for other administrators. */
  readonly note?: string;
}

/** What is chosen of a secret. */
export interface ClientSecretDetails extends Partial<Pick<ClientSecret, 'description' | 'expires'>> {}

/** The fields of a new initial access token. */
export interface NewInitialToken extends Partial<Pick<InitialToken, 'note' | 'maxClients'>> {
  /** Seconds for which it is valid. Default, and 0: until an administrator ends it. */
  readonly lifetime?: number;
}

/** What is left out or empty is as it is built in. */
export interface SubmittedBranding {
  readonly productName?: string;
  /** SVG or PNG as a data URL in base64. */
  readonly logo?: string;
  /** Colours such as `#17615c`, by name. */
  readonly lightColours?: Readonly<Record<string, string>>;
  readonly darkColours?: Readonly<Record<string, string>>;
  /** By language and key: `de/login.title`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A configuration, and how it is applied. */
export interface ConfigurationApplication {
  /** As the file of "watchword apply", but with the secrets themselves. */
  readonly configuration: object;
  /** Records that it has no more are let go, and not deleted. */
  readonly keep?: boolean;
  /** More than ten records, more than half or all of them can be deleted. */
  readonly allowDeletions?: boolean;
  /** Seconds for which a secret that is replaced stays valid. */
  readonly overlap?: number;
}
