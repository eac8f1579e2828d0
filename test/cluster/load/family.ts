import type { Application } from '@watchword/server-testkit/clients/application';
import { AnsweredToken, Ending } from '../tokens.ts';
import type { Part } from './part.ts';

/** An application, and what the server was told about its refresh tokens. */
export interface FamilyClient {
  readonly app: Application;
  /** Seconds within which a refresh can be repeated. */
  readonly grace: number;
}

/** Of the answer to a token request. */
interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
}

/** A grant with its refresh tokens, of which the last one is used next. */
export class Family {
  readonly of: FamilyClient;
  /** The end of the grant. */
  readonly ending = new Ending();
  readonly refreshTokens: string[] = [];
  readonly accessTokens: AnsweredToken[] = [];
  /** Not less than the number of rotations in a row, up to the last one, that were repeated. */
  repeated = 0;

  constructor(of: FamilyClient) {
    this.of = of;
  }

  get last(): string {
    return this.refreshTokens.at(-1) ?? '';
  }

  /** Takes the tokens of an answer, and verifies the ID token. @param sentAt when the request was sent, by `performance.now()` */
  async take(
    { tokens, keys }: Part,
    { access_token, refresh_token, id_token }: TokenPair,
    sentAt: number,
  ): Promise<void> {
    this.refreshTokens.push(refresh_token);
    const token = new AnsweredToken(access_token, [this.ending]);
    this.accessTokens.push(token);
    tokens.push(token);
    await keys.verify(id_token, this.of.app.client.clientId, sentAt);
  }
}

/** The credentials of the application, and how it names itself if it has none. */
export function identityOf({ app }: FamilyClient): {
  readonly credentials: string | undefined;
  readonly form: Readonly<Record<string, string>>;
} {
  const form = app.credentials === undefined ? { client_id: app.client.clientId } : {};
  return { credentials: app.credentials, form };
}
