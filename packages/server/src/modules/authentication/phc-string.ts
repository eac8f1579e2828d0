/** Cost of argon2id (RFC 9106 §3.1). */
export interface Argon2Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** An argon2id hash with the parameters to compute it again. */
export interface Argon2Hash extends Argon2Cost {
  readonly salt: Uint8Array;
  readonly tag: Uint8Array;
}

const pattern =
  /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{16,128})$/;

/** The PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
export function formatPhcString({ memory, passes, parallelism, salt, tag }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** @throws Error for any other text; its message does not contain the text */
export function parsePhcString(text: string): Argon2Hash {
  const [, memory, passes, parallelism, salt = '', tag = ''] = pattern.exec(text) ?? [];
  if (memory === undefined) throw new Error('the stored password hash is not argon2id in PHC string form');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
