import type { AccessToken, AccessTokenFormatName, Confirmation } from '../../model/records/access-token.ts';
import type { Client } from '../../model/records/client.ts';
import type { Grant } from '../../model/records/grant.ts';
import type { PresentedAccessToken } from '../../ports/stores/grants/access-token-store.ts';
import type { TargetServer } from '../../rules/target-servers.ts';

/** The meaning of an access token, independent of its text. */
export interface AccessTokenContent extends Pick<AccessToken, 'scopes' | 'expires' | 'creationDate'> {
  readonly client: Client;
  /** The resource servers that it is for. */
  readonly targets: readonly TargetServer[];
  /** The grant that the token belongs to; `undefined` for a client-credentials token, which has no resource owner. */
  readonly grant: Grant | undefined;
  readonly confirmation?: Confirmation | undefined;
}

/** The text of a token, which is handed out once, and what the token is found by. */
export interface WrittenToken extends Pick<AccessToken, 'id' | 'verifierHash'> {
  readonly value: string;
}

/** A token that was found by its text, with its client. */
export interface FoundByText {
  readonly token: PresentedAccessToken;
  /** `undefined` if the client does not exist any more. */
  readonly client: Client | undefined;
}

/** How the text of access tokens is written and read. Each resource server has one format for its new tokens. */
export interface AccessTokenFormat {
  readonly name: AccessTokenFormatName;
  /** The times of a token are multiples of so many milliseconds. */
  readonly timeUnit: number;
  /** Seconds; 0 = a token can live without an expiry. */
  readonly longestLifetime: number;
  /** Makes the text of a new token. A signature can take its time. */
  write(content: AccessTokenContent): WrittenToken | Promise<WrittenToken>;
  /** Finds the token with this text; `undefined` when this format did not write it, or the token is revoked. */
  find(value: string): Promise<FoundByText | undefined>;
}
