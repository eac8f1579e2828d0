import { contentKinds } from './contents.ts';
import { headKinds } from './heads.ts';
import { bytesOf, forgedToken } from './parts.ts';

/** A request that anybody can send, as large as the server reads it. */
export interface AnonymousRequest {
  readonly name: string;
  /** Of the answer: a request that is refused earlier than expected would measure nothing. */
  readonly status: number;
  /** @param address that a proxy reports */
  bytes(address: string): Buffer;
}

/** Each kind of request whose reading could cost much, at the addresses that read it. @param port of a demo server */
export async function anonymousRequests(port: number): Promise<readonly AnonymousRequest[]> {
  const forged = await forgedToken(port);
  return [...headKinds(forged), ...contentKinds(forged)].map(([name, status, parts]) => ({
    name,
    status,
    bytes: (address) => bytesOf(port, address, parts),
  }));
}
