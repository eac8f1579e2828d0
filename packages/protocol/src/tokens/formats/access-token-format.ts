import type { AccessToken, Confirmation } from '../../model/access-token.ts';
import type { Client } from '../../model/client.ts';
import type { Grant } from '../../model/grant.ts';
import type { Random } from '../../ports/random.ts';
import type { BearerValue, PresentedValue } from '../bearer-value.ts';

/** The meaning of an access token, independent of its text. */
export interface AccessTokenContent extends Pick<AccessToken, 'scopes' | 'expires' | 'creationDate'> {
  readonly client: Client;
  /** The grant that the token belongs to; `undefined` for a client-credentials token, which has no resource owner. */
  readonly grant: Grant | undefined;
  readonly confirmation?: Confirmation | undefined;
}

/** What a format needs to write a text. */
export interface FormatDependencies {
  readonly random: Random;
}

/** How the text of access tokens is written and read. Each resource server has one format for its tokens. */
export interface AccessTokenFormat {
  /** Makes the text of a new token, and the id and the digest under which it is stored. A signature can take its time. */
  write(content: AccessTokenContent, deps: FormatDependencies): BearerValue | Promise<BearerValue>;
  /** Reads a presented text; `undefined` when this format cannot have written it. Costs no lookup. */
  read(value: string): PresentedValue | undefined;
}
