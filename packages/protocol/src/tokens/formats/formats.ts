import type { Client } from '../../model/client.ts';
import type { PresentedValue } from '../bearer-value.ts';
import type { AccessTokenFormat } from './access-token-format.ts';
import { opaque } from './opaque.ts';

const formats: readonly AccessTokenFormat[] = [opaque];

/** The format of the resource server that the client belongs to. Today all of them have opaque tokens. */
export function formatOf(_client: Client): AccessTokenFormat {
  return opaque;
}

/** Reads an access token by the format that wrote it; `undefined` for any text that this server cannot have issued. */
export function readAccessToken(value: string): PresentedValue | undefined {
  for (const format of formats) {
    const presented = format.read(value);
    if (presented !== undefined) return presented;
  }
  return undefined;
}
