import { AnsweredToken, type Ending } from '../tokens.ts';
import { type Part, pause } from './part.ts';

export interface IssueOptions {
  /** What ends the tokens of the client. */
  readonly endings?: readonly Ending[];
  readonly node?: number;
  /** The credentials of the resource server of the client, if its tokens are JWTs. */
  readonly resourceServer?: string | undefined;
}

/** Gets a token with the credentials of a client. */
export async function issue(
  { client, tokens, keys, ledger }: Part,
  credentials: string,
  { endings = [], node, resourceServer }: IssueOptions = {},
): Promise<AnsweredToken | undefined> {
  const answer = await client.ask({
    kind: 'issue',
    path: '/oauth2/token',
    form: { grant_type: 'client_credentials' },
    credentials,
    expects: [200],
    node,
  });
  if (answer?.status !== 200) return undefined;
  const text: string = answer.json.access_token;
  const signed = resourceServer === undefined ? undefined : { key: keys.endingOf(text), resourceServer };
  const token = new AnsweredToken(text, endings, signed);
  if (signed?.key.isCertain(answer.sentAt)) {
    ledger.violate(`issue at node ${answer.node}: a token is signed by a key that is compromised`, text);
  }
  tokens.push(token);
  return token;
}

/** Asks token info about the token, and holds the answer against what is known of it. Resolves with the status. */
export async function lookUp(
  { client, ledger }: Pick<Part, 'client' | 'ledger'>,
  token: AnsweredToken,
  node?: number,
): Promise<number | undefined> {
  const answer = await client.ask({
    kind: 'info',
    path: '/v1/tokeninfo',
    form: { access_token: token.text },
    credentials: token.resourceServer,
    expects: [200, 404],
    about: token.text,
    node,
  });
  if (answer?.status === 200 && token.state(answer.sentAt) === 'ended') {
    ledger.violate(
      `info at node ${answer.node}: ${token.kind} was accepted after the answer that it had ended`,
      token.text,
    );
  }
  if (answer?.status === 404 && token.state() === 'valid') {
    ledger.violate(`info at node ${answer.node}: ${token.kind} was lost that had been answered`, token.text);
  }
  return answer?.status;
}

/** @returns the status of each node */
export async function lookUpEverywhere(
  part: Part,
  token: AnsweredToken,
): Promise<readonly (number | undefined)[]> {
  return Promise.all(Array.from({ length: part.nodes }, (_, node) => lookUp(part, token, node)));
}

/** Revokes the token until an answer says so. Some clients give up after a request without an answer. */
export async function revoke(
  part: Part,
  text: string,
  ending: Ending,
  credentials?: string,
  form = {},
): Promise<void> {
  const { client, choices, stop } = part;
  while (!stop.aborted) {
    ending.ask();
    const answer = await client.ask({
      kind: 'revoke',
      path: '/oauth2/revoke',
      form: { token: text, ...form },
      credentials,
      expects: [200],
      about: text,
    });
    if (answer?.status === 200) ending.answer();
    if (answer !== undefined || choices.once(4)) return;
    await pause();
  }
}
